// Asks Keystone about a token, with the gateway's own.
import type { Answer, KeystoneConnection } from './connection.ts';
import { KeystoneFault } from './fault.ts';
import type { Leniency } from './known-tokens.ts';
import { type OwnToken, type OwnTokenKeeper, parseJson } from './own-token.ts';
import { readToken, type ValidatedToken } from './validated-token.ts';

interface TokenQuestion extends Leniency {
  readonly token: string;
}

export class TokenValidator {
  readonly #connection: KeystoneConnection;
  readonly #own: OwnTokenKeeper;

  constructor(connection: KeystoneConnection, own: OwnTokenKeeper) {
    this.#connection = connection;
    this.#own = own;
  }

  /** Null for a bad token. Rejects with a KeystoneFault if Keystone does not decide. */
  async validate(question: TokenQuestion, deadline: AbortSignal): Promise<ValidatedToken | null> {
    let own = await this.#own.get(deadline);
    let answer = await this.#ask(question, own, deadline);
    if (answer.status === 401) {
      // Our token was revoked, or Keystone's keys have changed: once more with a new token.
      this.#own.discard(own);
      own = await this.#own.get(deadline);
      answer = await this.#ask(question, own, deadline);
      if (answer.status === 401) {
        this.#own.discard(own);
        throw new KeystoneFault('it does not accept the token that it has just given to the service user');
      }
    }
    if (answer.status === 404) return null;
    if (answer.status === 403) throw new KeystoneFault('the service user may not validate tokens: give it the role service');
    if (answer.status !== 200) throw new KeystoneFault(`it answered with ${answer.status}`);
    const token = readToken(parseJson(answer.text));
    if (token === null) throw new KeystoneFault('its answer does not describe a token');
    return token;
  }

  #ask({ token, allowExpired }: TokenQuestion, { value, identityUrl }: OwnToken, deadline: AbortSignal): Promise<Answer> {
    return this.#connection.send(
      {
        method: 'GET',
        url: `${identityUrl}/auth/tokens?nocatalog${allowExpired ? '&allow_expired=1' : ''}`,
        // Without the last header, Keystone hides tokens that have access rules.
        headers: { accept: 'application/json', 'x-auth-token': value, 'x-subject-token': token, 'openstack-identity-access-rules': '1' },
      },
      deadline,
    );
  }
}
