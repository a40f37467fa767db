// The buttons that zoom the map.
import styles from './cloud-map.module.css';
import { zoomStep } from './zoom.ts';

interface LensProps {
  readonly zoom: number;
  /** The largest zoom. */
  readonly most: number;
  readonly onCloser: (factor: number) => void;
  readonly onReset: () => void;
}

export function Lens({ zoom, most, onCloser, onReset }: LensProps) {
  return (
    <fieldset className={styles.lens} aria-label="Zoom">
      {zoom > 1 && (
        <button type="button" onClick={onReset} title="The whole map (Escape)">
          Whole map
        </button>
      )}
      <button type="button" onClick={() => onCloser(1 / zoomStep)} disabled={zoom === 1} aria-label="Zoom out" title="Zoom out (−)">
        −
      </button>
      <button
        type="button"
        onClick={() => onCloser(zoomStep)}
        disabled={zoom >= most}
        aria-label="Zoom in"
        title="Zoom in (+, Ctrl and wheel, two fingers)"
      >
        +
      </button>
    </fieldset>
  );
}
