// The operation in the editors as code to run elsewhere. The token comes from the environment variable PLACEMENT_TOKEN and is never part of the text. Whatever
// the document and the variables contain, they reach the gateway unchanged.

export interface Request {
  /** The origin of the gateway, such as `http://127.0.0.1:8778`. */
  readonly origin: string;
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: object;
  readonly isSubscription: boolean;
}

type Language = 'curl' | 'Python' | 'TypeScript';

export const languages: Readonly<Record<Language, (request: Request) => string>> = {
  curl: asCurl,
  Python: asPython,
  TypeScript: asTypeScript,
};

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes each hidden character except newlines as an escape of four digits, which JSON, Python and TypeScript share. */
const escapeHidden = (text: string) =>
  text.replace(hidden, (character) =>
    character === '\n' ? character : Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join(''),
  );
const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/** JSON without hidden characters. */
const json = (value: unknown) => escapeHidden(JSON.stringify(value));

const urlOf = ({ origin, isSubscription }: Request) => `${origin}${isSubscription ? '/graphql/stream' : '/graphql'}`;
const bodyOf = ({ query, operationName, variables }: Request) => ({ query, ...(operationName !== null && { operationName }), variables });

function asCurl(request: Request): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const [flags, accept] = request.isSubscription ? ['-sSN', 'text/event-stream'] : ['-sS', 'application/json'];
  return `curl ${flags} ${quoted(urlOf(request))} \\
  -H "X-Auth-Token: \${PLACEMENT_TOKEN:?is not set}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: ${accept}' \\
  --data-raw ${quoted(json(bodyOf(request)))}
`;
}

function asPython(request: Request): string {
  const { query, operationName, variables, isSubscription } = request;
  const read = isSubscription
    ? `with urllib.request.urlopen(request) as response:
    for line in response:
        if line.startswith(b"data: "):
            print(json.loads(line[6:]), flush=True)`
    : `try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    raise SystemExit(f"{error.code}: {error.read().decode()}")
print(json.dumps(answer, indent=2))`;
  return `import json
import os
import urllib.error
import urllib.request

query = ${tripleQuoted(query)}
variables = ${pythonOf(variables, '')}
request = urllib.request.Request(
    ${pythonText(urlOf(request))},
    json.dumps({"query": query, "operationName": ${operationName === null ? 'None' : pythonText(operationName)}, "variables": variables}).encode(),
    {
        "X-Auth-Token": os.environ["PLACEMENT_TOKEN"],
        "Content-Type": "application/json",
        "Accept": "${isSubscription ? 'text/event-stream' : 'application/json'}",
    },
)
${read}
`;
}

/** Python does not join halves of surrogate pairs, so hidden characters beyond 16 bits are escaped with eight digits. */
const escapeForPython = (text: string) =>
  text.replace(hidden, (character) => {
    if (character === '\n') return character;
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : unit(code);
  });

const pythonText = (text: string) => `"${escapeForPython(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')).replaceAll('\n', '\\n')}"`;
/** Escapes only quotes that could end the text. */
const tripleQuoted = (text: string) => `"""${escapeForPython(text.replaceAll('\\', '\\\\').replace(/"(?=""|$)|(?<="")"/g, '\\"'))}"""`;

function pythonOf(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return pythonText(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((one) => pythonOf(one, inner))
    : Object.entries(value).map(([key, one]) => `${pythonText(key)}: ${pythonOf(one, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return entries.length === 0 ? `${open}${close}` : `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}

function asTypeScript(request: Request): string {
  const { query, operationName, variables, isSubscription } = request;
  const read = isSubscription
    ? `if (!response.ok || !response.body) throw new Error(\`\${response.status}: \${await response.text()}\`);
let rest = '';
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split('\\n');
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.startsWith('data: ')) console.log(JSON.stringify(JSON.parse(line.slice(6))));
}`
    : `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(JSON.stringify(await response.json(), null, 2));`;
  return `const query = \`${escapeHidden(query.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${'))}\`;
const variables = ${escapeHidden(JSON.stringify(variables, null, 2))};
const response = await fetch(${json(urlOf(request))}, {
  method: 'POST',
  headers: {
    'X-Auth-Token': process.env.PLACEMENT_TOKEN ?? '',
    'Content-Type': 'application/json',
    Accept: '${isSubscription ? 'text/event-stream' : 'application/json'}',
  },
  body: JSON.stringify({ query, operationName: ${json(operationName)}, variables }),
});
${read}

export {};
`;
}
