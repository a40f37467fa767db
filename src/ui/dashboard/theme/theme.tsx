// The theme: light, dark, or as the system. Kept in the browser, because it says nothing about anyone.
import { Store, useStore } from '../data/store.ts';

const key = 'placement.theme';
const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function stored(): Theme {
  return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';
}

export const themeStore = new Store<Theme>(stored());

/** Called before anything is drawn, so that nothing flashes. */
export function applyTheme(theme: Theme = themeStore.get()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // A canvas must be drawn again, because it has already taken its colours.
  document.dispatchEvent(new Event('themechange'));
}

export function ThemeChoice() {
  const theme = useStore(themeStore);
  const choose = (next: Theme) => {
    localStorage.setItem(key, next);
    themeStore.set(next);
    applyTheme(next);
  };
  return (
    <label>
      Theme{' '}
      <select value={theme} onChange={({ target }) => choose(themes.find((one) => one === target.value) ?? 'system')}>
        <option value="system">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}
