// Response bodies about providers. Lists are long, polled often, and change little between polls, so unchanged parts are not rendered again. A changed
// provider is a new object (operations/unpaged/providers.ts), so nothing stale is reused.
import type { ListedProvider } from '../domain/unpaged.ts';
import type { Call } from './call.ts';
import { atVersion, type Versioned } from './microversions.ts';
import { jsonOf, listPart } from './streams.ts';

/** The parts of a call that decide how providers are shown. */
type Asked = Pick<Call, 'version' | 'mount'>;

/** JSON of a provider. */
export function renderProvider(provider: ListedProvider, asked: Asked): string {
  return render(provider, formOf(asked));
}

interface CachedList {
  readonly form: Form;
  readonly providers: readonly ListedProvider[];
  readonly body: Uint8Array;
}

/** The latest lists, most recent first. */
const cachedLists: CachedList[] = [];
const maxCachedLists = 8;
/** Shorter lists are rendered as fast as they are looked up. */
const minCachedProviders = 100;

/** JSON of a list of providers, in UTF-8; in pieces if it is long. */
export function renderProviders(providers: readonly ListedProvider[], asked: Asked): Uint8Array | AsyncIterable<Uint8Array> {
  const form = formOf(asked);
  const isSame = (list: CachedList) =>
    list.form === form && list.providers.length === providers.length && list.providers.every((one, place) => one === providers[place]);
  const known = cachedLists.find(isSame);
  if (known) return known.body;
  const body = jsonOf(listPart('{"resource_providers":[', providers, (provider) => rowOf(provider, form), ']}'));
  if (body instanceof Uint8Array && providers.length >= minCachedProviders) {
    cachedLists.unshift({ form, providers, body });
    cachedLists.splice(maxCachedLists);
  }
  return body;
}

/** The parts of a provider that a version shows. */
interface Parts {
  /** Links in addition to the one to the provider itself. */
  readonly links: readonly string[];
  readonly showsTree: boolean;
}

const partsByVersion: Versioned<Parts> = [
  ['start', { links: ['inventories', 'usages'], showsTree: false }],
  ['aggregates', { links: ['inventories', 'usages', 'aggregates'], showsTree: false }],
  ['traits', { links: ['inventories', 'usages', 'aggregates', 'traits'], showsTree: false }],
  ['allocationsLink', { links: ['inventories', 'usages', 'aggregates', 'traits', 'allocations'], showsTree: false }],
  ['trees', { links: ['inventories', 'usages', 'aggregates', 'traits', 'allocations'], showsTree: true }],
];

interface Form extends Parts {
  /** The prefix of links. */
  readonly mount: string;
}

/** One object for each form, so that it can be the key of rendered parts. Most gateways are called under one mount; proxies can add prefixes. */
const forms: Form[] = [];
const maxForms = 32;

function formOf({ version, mount }: Asked): Form {
  const parts = atVersion(partsByVersion, version) as Parts;
  const known = forms.find((form) => form.mount === mount && form.links === parts.links && form.showsTree === parts.showsTree);
  if (known) return known;
  const form = { ...parts, mount };
  forms.unshift(form);
  forms.splice(maxForms);
  return form;
}

/** Rendered by hand, because lists are long. Links are absolute paths. */
function render({ uuid, name, generation, parentUuid, rootUuid }: ListedProvider, form: Form): string {
  const self = `${form.mount}/resource_providers/${uuid}`;
  let links = `{"rel":"self","href":"${self}"}`;
  for (const link of form.links) links += `,{"rel":"${link}","href":"${self}/${link}"}`;
  const parent = parentUuid === null ? 'null' : `"${parentUuid}"`;
  const tree = form.showsTree ? `,"parent_provider_uuid":${parent},"root_provider_uuid":"${rootUuid}"` : '';
  return `{"uuid":"${uuid}","name":${JSON.stringify(name)},"generation":${generation},"links":[${links}]${tree}}`;
}

/** Each provider as last rendered in a list. */
const rows = new WeakMap<ListedProvider, { readonly form: Form; readonly row: Uint8Array }>();

function rowOf(provider: ListedProvider, form: Form): Uint8Array {
  const known = rows.get(provider);
  if (known?.form === form) return known.row;
  const row = Buffer.from(render(provider, form));
  rows.set(provider, { form, row });
  return row;
}
