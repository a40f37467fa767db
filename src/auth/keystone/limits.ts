// Reads the unified limits of a service from Keystone. With a token of the whole system: with one of a project, Keystone lists only the limits of that project, and does
// not say so.
import { z } from 'zod';
import { limits } from '../../domain/limits.ts';
import { subjectOfLimit, type UnifiedLimit, type UnifiedLimits } from '../../domain/unified-limits.ts';
import type { KeystoneSettings } from '../../settings/keystone.ts';
import { type Answer, type KeystoneConnection, openConnection } from './connection.ts';
import { KeystoneFault } from './fault.ts';
import { OwnTokenKeeper, parseJson } from './own-token.ts';

/** Milliseconds for each answer: nobody waits for it, and a long list takes seconds. */
const patience = 30_000;
/** Bytes of an element of a list; Keystone writes less than half of it, except for long descriptions. */
const elementBytes = 1024;

const endpointSchema = z.object({ endpoint: z.object({ service_id: z.string(), region_id: z.string().nullish() }) });
const modelSchema = z.object({ model: z.object({ name: z.string() }) });

const partSchema = z.object({ truncated: z.boolean().optional(), links: z.object({ next: z.string().nullish() }).nullish() });
type Part = z.infer<typeof partSchema>;
const listOf = <Fields extends z.ZodRawShape>(fields: Fields) => z.array(z.object(fields)).max(limits.keystoneLimits);
const limitFields = { resource_name: z.string(), region_id: z.string().nullish() };
const registeredSchema = partSchema.extend({ registered_limits: listOf({ ...limitFields, default_limit: z.int() }) });
const ownerId = z.string().nullish();
const limitsSchema = partSchema.extend({
  limits: listOf({ ...limitFields, resource_limit: z.int(), project_id: ownerId, domain_id: ownerId }),
});
const projectsSchema = partSchema.extend({ projects: listOf({ id: z.string(), domain_id: z.string().nullish() }) });

/** Reads all limits of the service and region of the endpoint in the settings. Rejects with a KeystoneFault. */
export async function openLimits(settings: KeystoneSettings): Promise<() => Promise<UnifiedLimits>> {
  const reader = new LimitReader(settings, await openConnection(settings, 1));
  return () => reader.read();
}

class LimitReader {
  readonly #endpoint: string;
  readonly #connection: KeystoneConnection;
  readonly #own: OwnTokenKeeper;
  /** By what was asked: the last answers, which seldom change. */
  readonly #known = new Map<string, { readonly text: string; readonly value: unknown }>();

  constructor(settings: KeystoneSettings, connection: KeystoneConnection) {
    this.#endpoint = settings.keystoneLimitsEndpointId ?? '';
    this.#connection = connection;
    this.#own = new OwnTokenKeeper(settings, connection, 'system');
  }

  async read(): Promise<UnifiedLimits> {
    const { service_id, region_id } = (await this.#ask('endpoints', `/${encodeURIComponent(this.#endpoint)}`, endpointSchema)).endpoint;
    const region = region_id ?? null;
    const filter = `?${new URLSearchParams({ service_id, ...(region !== null && { region_id: region }) })}`;
    const isHere = (limit: { readonly region_id?: string | null | undefined }) => (limit.region_id ?? null) === region;
    const registered = (await this.#list('registered_limits', filter, registeredSchema)).registered_limits.filter(isHere);
    if (!registered.some(({ resource_name }) => subjectOfLimit(resource_name) !== null)) {
      const where = region === null ? 'without a region' : `in the region ${region}`;
      throw new KeystoneFault(`the service of the endpoint ${this.#endpoint} has no registered limits for servers or class:… ${where}`);
    }
    const own = (await this.#list('limits', filter, limitsSchema)).limits.filter(isHere);
    const { name: model } = (await this.#ask('limits', '/model', modelSchema)).model;
    if (model !== 'flat' && model !== 'strict_two_level')
      throw new KeystoneFault(`it has an unknown enforcement model: ${model.slice(0, 100)}`);
    const projects = model === 'flat' ? [] : (await this.#list('projects', '', projectsSchema)).projects;
    const defaults = registered.map(({ resource_name, default_limit }) => ({
      resourceName: resource_name,
      amount: default_limit,
      owner: null,
    }));
    const ofOwners = own.flatMap(({ resource_name, resource_limit, project_id, domain_id }): UnifiedLimit[] => {
      // In the flat model, limits of domains bound nothing.
      const owner = project_id ?? (model === 'flat' ? null : domain_id);
      return owner ? [{ resourceName: resource_name, amount: resource_limit, owner }] : [];
    });
    const domains = new Map(projects.flatMap(({ id, domain_id }) => (domain_id ? [[id, domain_id] as const] : [])));
    return { limits: [...defaults, ...ofOwners], domains };
  }

  /** A whole list: Keystone cuts it off if its settings have a `list_limit`. */
  async #list<Answer extends Part>(noun: string, filter: string, schema: z.ZodType<Answer>): Promise<Answer> {
    const answer = await this.#ask(noun, filter, schema);
    if (answer.truncated || answer.links?.next) throw new KeystoneFault(`it does not list all ${noun}: raise its list_limit`);
    return answer;
  }

  async #ask<Value>(noun: string, rest: string, schema: z.ZodType<Value>): Promise<Value> {
    const path = `/${noun}${rest}`;
    const { status, text } = await this.#send(path);
    if (status === 403) throw new KeystoneFault(`the service user may not read ${noun}: give it the role reader on the system`);
    if (status === 404) throw new KeystoneFault(`it has no ${path}`);
    if (status !== 200) throw new KeystoneFault(`it answered ${noun} with ${status}`);
    const known = this.#known.get(path);
    if (known?.text === text) return known.value as Value;
    const { data, error } = schema.safeParse(parseJson(text));
    if (error) {
      const isLong = error.issues.some(({ code }) => code === 'too_big');
      throw new KeystoneFault(isLong ? `it has more than ${limits.keystoneLimits} ${noun}` : `its answer does not describe ${noun}`);
    }
    this.#known.set(path, { text, value: data });
    return data;
  }

  /** Once more with a new token if Keystone has revoked the last one. */
  async #send(path: string): Promise<Answer> {
    for (let isAgain = false; ; isAgain = true) {
      const deadline = AbortSignal.timeout(patience);
      const own = await this.#own.get(deadline);
      const headers = { accept: 'application/json', 'x-auth-token': own.value };
      const url = `${own.identityUrl}${path}`;
      const answer = await this.#connection.send({ method: 'GET', url, headers }, deadline, limits.keystoneLimits * elementBytes);
      if (answer.status !== 401) return answer;
      this.#own.discard(own);
      if (isAgain) throw new KeystoneFault('it does not accept the token that it has just given to the service user');
    }
  }
}
