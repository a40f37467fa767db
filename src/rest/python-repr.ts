// JSON values in Python syntax, because clients search for the messages of Python's validator. The output is bounded, because a quoted value may be
// megabytes long or deeply nested.

const maxReprLength = 2000;

/** The value in the form of Python's `repr`, truncated with `...`. `sorted` sorts objects by key, like `pprint`. */
export function pythonRepr(value: unknown, { sorted = false } = {}): string {
  const parts: string[] = [];
  let left = maxReprLength;
  const write = (text: string) => {
    if (left <= 0) return;
    parts.push(text.length > left ? `${text.slice(0, left)}...` : text);
    left -= text.length;
  };
  const list = <Element>(open: string, elements: readonly Element[], close: string, show: (element: Element) => void) => {
    write(open);
    for (const [index, element] of elements.entries()) {
      if (left <= 0) return;
      if (index > 0) write(', ');
      show(element);
    }
    write(close);
  };
  const show = (shown: unknown): void => {
    if (typeof shown === 'string') write(pythonText(shown.length > left ? shown.slice(0, left) : shown));
    else if (shown === null || shown === undefined) write('None');
    else if (typeof shown === 'boolean') write(shown ? 'True' : 'False');
    else if (typeof shown === 'number') write(pythonNumber(shown));
    else if (Array.isArray(shown)) list('[', shown, ']', show);
    else {
      const keys = Object.keys(shown);
      list('{', sorted ? keys.sort() : keys, '}', (key) => {
        write(`${pythonText(key)}: `);
        show((shown as Record<string, unknown>)[key]);
      });
    }
  };
  show(value);
  return parts.join('');
}

/** Text in Python's quotes: single ones, unless the text contains single and no double quotes. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === '\\' || character === quote) return `\\${character}`;
    return character === "'" || character === '"' ? character : escapeCharacter(character);
  });
  return quote + escaped + quote;
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return short[character] ?? `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

/** In Python, exponents have at least two digits. */
function pythonNumber(number: number | string): string {
  return String(number).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A float as Python writes it, also in JSON: with an exponent below 1e-4 and from 1e16 on, otherwise always with a fraction. */
export function pythonFloat(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e16) return `${number}.0`;
  const [digits, exponent = ''] = number.toExponential().split('e');
  if (Number(exponent) < -4 || Number(exponent) >= 16) return pythonNumber(`${digits}e${exponent}`);
  return String(number);
}
