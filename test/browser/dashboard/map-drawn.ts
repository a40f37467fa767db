// When the map can be used.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Until it is drawn for the window as it is, the map has no places for its hosts: it ignores keys, pointers and touches. */
export async function mapIsDrawn(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('canvas');
        return canvas !== null && canvas.width === Math.floor(canvas.parentElement.clientWidth * window.devicePixelRatio);
      })()`),
    )
    .toBe(true);
}
