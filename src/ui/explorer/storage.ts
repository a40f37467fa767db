// Where the editors keep tabs and history: in this browser, without headers, which may contain a token.

/** The keys under which GraphiQL stores operations. */
const kept: ReadonlySet<string> = new Set(['graphiql:queries', 'graphiql:favorites', 'graphiql:tabState']);
const forgotten = 'graphiql:headers';

const withoutHeaders = (text: string) => JSON.stringify(JSON.parse(text, (key, value: unknown) => (key === 'headers' ? null : value)));

export const storageWithoutHeaders = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => {
    if (key !== forgotten) localStorage.setItem(key, kept.has(key) ? withoutHeaders(value) : value);
  },
  removeItem: (key: string) => localStorage.removeItem(key),
  clear: () => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('graphiql:')) localStorage.removeItem(key);
  },
  get length() {
    return Object.keys(localStorage).filter((key) => key.startsWith('graphiql:')).length;
  },
};
