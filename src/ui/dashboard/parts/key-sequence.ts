// Which action the pressed keys mean. A key is what it writes (`event.key`), so that `?` and `/` work wherever a layout has them.

/** What of a keyboard event counts. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly timeStamp: number;
  getModifierState(name: string): boolean;
}

/** Milliseconds that a prefix waits for its key. */
const patience = 1500;

/**
 * Takes one press after the other, and returns the action that it completes: that of a key, such as `?`, or of two keys, such as `g h`; null if there is none.
 * Keys that write nothing (Shift, Escape, Tab, dead keys) neither begin a sequence nor end one, unless they are actions themselves.
 */
export function keySequence(names: readonly string[]): (press: KeyPress) => string | null {
  const actions = new Set(names);
  const prefixes = new Set(names.flatMap((name) => (name.includes(' ') ? [name.split(' ')[0]] : [])));
  let prefix: { readonly key: string; readonly at: number } | null = null;
  return (press) => {
    const { key, timeStamp } = press;
    if (isCommand(press) || press.isComposing || (key.length > 1 && !actions.has(key))) return null;
    const whole = prefix !== null && timeStamp - prefix.at <= patience ? `${prefix.key} ${key}` : key;
    prefix = prefixes.has(key) && !actions.has(whole) ? { key, at: timeStamp } : null;
    return [whole, key].find((name) => actions.has(name)) ?? null;
  };
}

/** Whether the press is a command to the browser. AltGr writes characters, `[` among them, and some systems report it as Control with Alt. */
function isCommand(press: KeyPress): boolean {
  return press.metaKey || ((press.ctrlKey || press.altKey) && !press.getModifierState('AltGraph'));
}
