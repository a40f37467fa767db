// Identifies callers by tokens of Keystone v3, as keystonemiddleware does, but without its known holes: a service token lends a caller no scope,
// and lifts the access rules of a restricted token only with the role of a service.
import type { Identity } from '../../domain/identity.ts';
import { networkOf } from '../../domain/network.ts';
import type { KeystoneSettings } from '../../settings/keystone.ts';
import { tokenOf } from '../callers/headers.ts';
import { type AuthenticationLog, type CallersRequest, IdentityUnavailable } from '../callers/method.ts';
import { isStaticToken } from '../callers/token.ts';
import { allowedByRules } from './access-rules.ts';
import { openConnection } from './connection.ts';
import { KeystoneFault } from './fault.ts';
import { KnownTokens, type Leniency } from './known-tokens.ts';
import { OwnTokenKeeper } from './own-token.ts';
import { shapeOf, type TokenShape } from './token-shape.ts';
import { type Turn, type TurnBounds, Turns } from './turns.ts';
import type { ValidatedToken } from './validated-token.ts';
import { TokenValidator } from './validator.ts';

/** The bounds of validations in progress and of those that wait for their turn. */
const bounds: TurnBounds = { atOnce: { least: 2, first: 8, most: 256 }, mostWaiting: 1000, mostWaitingOfSource: 250 };
const badTokensFor = 10_000;
const knownTokens = 20_000;
/** Milliseconds until a continuing trouble is logged again. */
const reminderPause = 60_000;
/** The form of a token; anything else is refused without asking Keystone. */
const form = /^[A-Za-z0-9._~+/=-]{1,8192}$/;

/** Keystone as a method of `Authentication`. */
export interface KeystoneMethod {
  authenticate(request: CallersRequest): Identity | null | Promise<Identity | null>;
  trouble(): string | null;
  close(): void;
}

/** Rejects if a file of the settings cannot be read, but not if Keystone is down. */
export async function authenticateByKeystone(settings: KeystoneSettings, log: AuthenticationLog): Promise<KeystoneMethod> {
  const connection = await openConnection(settings, bounds.atOnce.most);
  const own = new OwnTokenKeeper(settings, connection);
  const guard = new KeystoneGuard(settings, log, new TokenValidator(connection, own), () => connection.close());
  warnOfOpenings(settings, log);
  guard.watch(() => own.get(AbortSignal.timeout(settings.keystoneTimeout * 1000))).catch(() => {});
  return guard;
}

class KeystoneGuard implements KeystoneMethod {
  readonly close: () => void;
  readonly #settings: KeystoneSettings;
  readonly #log: AuthenticationLog;
  readonly #validator: TokenValidator;
  readonly #known: KnownTokens;
  readonly #turns = new Turns(bounds);
  /** The shapes of tokens that were valid. */
  readonly #goodShapes = new Set<TokenShape>();
  readonly #asking = new Map<string, Promise<ValidatedToken | null>>();
  #trouble: { readonly words: string; readonly loggedAt: number } | null = null;

  constructor(settings: KeystoneSettings, log: AuthenticationLog, validator: TokenValidator, close: () => void) {
    this.#settings = settings;
    this.#log = log;
    this.#validator = validator;
    this.close = close;
    const goodFor = settings.keystoneTokenCacheTime * 1000;
    this.#known = new KnownTokens({ goodFor, badFor: Math.min(badTokensFor, goodFor), count: knownTokens });
  }

  authenticate(request: CallersRequest): Identity | null | Promise<Identity | null> {
    const token = tokenOf(request.headers);
    if (token === null) return null;
    const { 'x-service-token': serviceToken } = request.headers;
    if (serviceToken !== undefined && serviceToken !== '') return this.#withService(token, String(serviceToken), request);
    const known = this.#lookUp(token, strict, request.ip);
    return known instanceof Promise ? known.then((found) => this.#admit(found, request)) : this.#admit(known, request);
  }

  trouble(): string | null {
    return this.#trouble && `Keystone: ${this.#trouble.words}`;
  }

  /** Records from the outcome of the work whether Keystone answers, and turns its faults into ours. */
  async watch<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      if (this.#trouble) this.#log.info('Keystone answers again');
      this.#trouble = null;
      return result;
    } catch (error) {
      if (!(error instanceof KeystoneFault)) throw error;
      this.#noteTrouble(error.message);
      throw new IdentityUnavailable(error);
    }
  }

  async #withService(token: string, serviceToken: string, request: CallersRequest): Promise<Identity | null> {
    const service = this.#admit(await this.#lookUp(serviceToken, strict, request.ip), request);
    if (service === null) return null;
    const hasRole = this.#settings.keystoneServiceTokenRoles.some((role) => service.roles.includes(role));
    if (!hasRole && this.#settings.keystoneServiceTokenRolesRequired) return null;
    const found = await this.#lookUp(token, hasRole ? lenient : strict, request.ip);
    const caller = hasRole ? (found?.identity ?? null) : this.#admit(found, request);
    if (caller === null) return null;
    const { user, userDomain, project, projectDomain, roles } = service;
    // The token of a service with the role vouches for both.
    const expiresAt = Math.min(endOf(service), hasRole ? Number.POSITIVE_INFINITY : endOf(caller));
    return { ...caller, expiresAt, service: { user, userDomain, project, projectDomain, roles } };
  }

  /** The caller, unless the token has expired or its access rules do not allow the request. */
  #admit(token: ValidatedToken | null, request: CallersRequest): Identity | null {
    if (token === null || Date.now() >= token.expiresAt) return null;
    const { accessRules, identity } = token;
    if (accessRules !== null) {
      const { path } = request.target;
      if (!allowedByRules(accessRules, request.method, path)) {
        this.#log.info(`the access rules of an application credential of the user ${identity.user} do not allow ${request.method} ${path}`);
        return null;
      }
    }
    return identity;
  }

  #lookUp(token: string, leniency: Leniency, address: string): ValidatedToken | null | Promise<ValidatedToken | null> {
    const key = KnownTokens.keyOf(token);
    const known = this.#known.find(key, leniency);
    if (known !== undefined) return known;
    // A token of another method is never sent to Keystone.
    if (!form.test(token) || isStaticToken(token)) return null;
    const flight = leniency.allowExpired ? `${key} expired` : key;
    const present = this.#asking.get(flight);
    if (present !== undefined) return present;
    const asked = this.#ask(token, key, leniency, address).finally(() => this.#asking.delete(flight));
    this.#asking.set(flight, asked);
    return asked;
  }

  #ask(token: string, key: string, leniency: Leniency, address: string): Promise<ValidatedToken | null> {
    const deadline = AbortSignal.timeout(this.#settings.keystoneTimeout * 1000);
    return this.watch(async () => {
      const shape = shapeOf(token);
      const turn = { source: networkOf(address), rank: this.#rankOf(key, shape) };
      const found = await this.#turns.run(deadline, turn, () => this.#validator.validate({ token, ...leniency }, deadline));
      if (found) this.#goodShapes.add(shape);
      this.#known.keep(key, leniency, found);
      return found;
    });
  }

  /** Tokens that were valid go first, so that their callers can continue; then those that look like tokens of this Keystone. */
  #rankOf(key: string, shape: TokenShape): Turn['rank'] {
    if (this.#known.wasGood(key)) return 0;
    const isUsual = this.#goodShapes.size === 0 ? shape !== 'other' : this.#goodShapes.has(shape);
    return isUsual ? 1 : 2;
  }

  #noteTrouble(words: string): void {
    const now = performance.now();
    const last = this.#trouble;
    if (last?.words === words && now - last.loggedAt < reminderPause) return;
    this.#log.error(`Keystone cannot validate tokens: ${words}; those validated before stay valid for now, and all others get 503`);
    this.#trouble = { words, loggedAt: now };
  }
}

const endOf = ({ expiresAt = Number.POSITIVE_INFINITY }: Identity): number => expiresAt;

const strict: Leniency = { allowExpired: false };
const lenient: Leniency = { allowExpired: true };

function warnOfOpenings({ keystoneAuthUrl, keystoneInsecure }: KeystoneSettings, log: AuthenticationLog): void {
  if (keystoneInsecure)
    log.warn('PLACEMENT_KEYSTONE_INSECURE=on: anyone on the way to Keystone can read the password and forge identities');
  const { protocol, hostname } = new URL(keystoneAuthUrl ?? 'https://none');
  if (protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) {
    log.warn('connections to Keystone are not encrypted: PLACEMENT_KEYSTONE_AUTH_URL should begin with https');
  }
}
