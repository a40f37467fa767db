// Reads a flavor in the forms that people have at hand: the output of `openstack flavor show -f json`, the answer of Nova's API, or Nova's versioned object.
import type { FlavorInput } from './fit.generated.ts';

export interface ReadFlavor {
  readonly flavor: FlavorInput | null;
  readonly problem: string | null;
}

const failed = (problem: string): ReadFlavor => ({ flavor: null, problem });

export function readFlavor(text: string): ReadFlavor {
  const parsed = parseObject(text);
  if (parsed === null) return failed('This is not JSON. Paste what `openstack flavor show NAME -f json` prints.');
  if ('nova_object.name' in parsed) return { flavor: { object: text }, problem: null };
  const fields = isObject(parsed.flavor) ? parsed.flavor : parsed;
  const vcpus = wholeNumber(fields.vcpus);
  const memoryMb = wholeNumber(fields.ram ?? fields.memory_mb);
  if (vcpus === null || memoryMb === null) return failed('A flavor has `vcpus` and `ram`; this text has not.');
  const extraSpecs = propertiesOf(fields.properties ?? fields.extra_specs);
  if (extraSpecs === null) return failed('The properties of the flavor cannot be read: give them as a JSON object.');
  return {
    flavor: {
      fields: {
        ...(typeof fields.name === 'string' && { name: fields.name }),
        vcpus,
        memoryMb,
        rootGb: wholeNumber(fields.disk ?? fields.root_gb) ?? 0,
        ephemeralGb: wholeNumber(fields['OS-FLV-EXT-DATA:ephemeral'] ?? fields.ephemeral_gb) ?? 0,
        swapMb: wholeNumber(fields.swap) ?? 0,
        extraSpecs,
      },
    },
    problem: null,
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Nova writes a missing swap as an empty text, and old clients print numbers as texts. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

type ExtraSpec = { readonly key: string; readonly value: string };

function propertiesOf(value: unknown): ExtraSpec[] | null {
  if (value === undefined || value === null || value === '') return [];
  if (isObject(value)) return Object.entries(value).map(([key, held]) => ({ key, value: String(held) }));
  if (typeof value !== 'string') return null;
  const written = [...value.matchAll(/([^=,\s]+)='([^']*)'/g)].map(([, key = '', held = '']) => ({ key, value: held }));
  return written.length > 0 ? written : null;
}
