// A worked example: the format of its file, and how its variables get values of the cloud in which it is opened. Uses nothing of the browser's bundle, so that
// the tests read the same files as the page.
//
// The first comment of a file is its title, the second a sentence that says what it answers. Then come `user:`, `nouns:`, and a line for each variable:
//   $order = "VCPU"                 a value, as JSON
//   $name = ask { … }               the first value in the answer to a small query
//   $consumer = new uuid            an unused uuid
//   $since = 3600 seconds ago       a moment; `ahead` for one to come

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

type Wanted =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'asked'; readonly query: string }
  | { readonly kind: 'new uuid' }
  | { readonly kind: 'moment'; readonly secondsAgo: number };

export const users = ['Dashboards', 'Schedulers', 'Operators', 'Nova and Neutron', 'Readers of a project'] as const;

export interface Example {
  /** The name of its file, used in links. */
  readonly name: string;
  readonly title: string;
  /** What it answers. */
  readonly says: string;
  readonly user: (typeof users)[number];
  readonly nouns: readonly string[];
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The document as it is opened, with the sentence as a comment. */
  readonly text: string;
  readonly wanted: ReadonlyMap<string, Wanted>;
}

/** Throws if the file is malformed. */
export function parseExample(name: string, file: string): Example {
  const lines = file.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  const [title = '', says = '', ...rest] = lines.slice(0, end).map((line) => line.slice(2));
  const document = lines.slice(end).join('\n').trim();
  const field = (key: string) => rest.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);
  const user = users.find((one) => one === field('user'));
  const kind = /^(query|mutation|subscription) \w+/m.exec(document)?.[1] as Example['kind'] | undefined;
  const nouns = field('nouns')?.split(', ');
  if (!title || !says || !user || !nouns || !kind)
    throw new Error(`The example ${name} lacks a title, a sentence, a user, nouns or an operation with a name.`);
  const wanted = new Map(
    rest.flatMap((line) => {
      const [, variable, value] = /^\$(\w+) = (.+)$/.exec(line) ?? [];
      return variable && value ? [[variable, readWanted(value)] as const] : [];
    }),
  );
  return { name, title, says, user, nouns, kind, text: `${commentOf(says)}${document}`, wanted };
}

/** A sentence as a comment, in lines that fit an editor of ordinary width. */
const commentOf = (sentence: string) => (sentence.match(/.{1,40}(?: |$)/g) ?? []).map((line) => `# ${line.trim()}\n`).join('');

function readWanted(text: string): Wanted {
  if (text === 'new uuid') return { kind: 'new uuid' };
  if (text.startsWith('ask ')) return { kind: 'asked', query: text.slice(4) };
  const [, seconds, side] = /^(\d+) seconds (ago|ahead)$/.exec(text) ?? [];
  if (seconds !== undefined) return { kind: 'moment', secondsAgo: side === 'ago' ? Number(seconds) : -Number(seconds) };
  return { kind: 'value', value: JSON.parse(text) as Json };
}

export interface Filled {
  readonly variables: Readonly<Record<string, Json>>;
  /** Variables for which this cloud has no value yet. A uuid is then a new one, because an empty text is none; others are left empty. */
  readonly missing: readonly string[];
}

/** Gives the variables values of this cloud. `ask` returns the data of an answer, or null for a refusal. */
export async function fill({ wanted, text }: Example, ask: (query: string) => Promise<Json>): Promise<Filled> {
  const values = await Promise.all([...wanted].map(async ([name, one]) => [name, await valueFor(one, ask)] as const));
  return {
    variables: Object.fromEntries(
      values.map(([name, value]) => [name, value !== undefined ? value : text.includes(`$${name}: UUID!`) ? newUuid() : '']),
    ),
    missing: values.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

async function valueFor(wanted: Wanted, ask: (query: string) => Promise<Json>): Promise<Json | undefined> {
  switch (wanted.kind) {
    case 'value':
      return wanted.value;
    case 'new uuid':
      return newUuid();
    case 'moment':
      return new Date(Date.now() - wanted.secondsAgo * 1000).toISOString();
    case 'asked':
      return firstValue(await ask(wanted.query));
  }
}

/** The first scalar in an answer that is not null; undefined if there is none. */
function firstValue(answer: Json): Json | undefined {
  if (answer === null) return undefined;
  if (typeof answer !== 'object') return answer;
  for (const inner of Object.values(answer)) {
    const found = firstValue(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Does not use randomUUID, because browsers offer it only to pages that came over TLS or from this machine. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'.charAt((bytes[8] ?? 0) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
