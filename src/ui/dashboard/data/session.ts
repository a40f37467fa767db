// The token of the page, kept in this tab only, and the ways to get one. A new tab asks the other tabs; a closed tab forgets. The token is never in an address,
// a cookie or a log.
import { Store } from './store.ts';

/** The answer of GET /session. */
interface Ways {
  readonly methods: readonly string[];
  readonly token: string | null;
  readonly defaultDomain: string | null;
}

export interface Session {
  readonly token: string;
  /** Null if it is unknown. */
  readonly expiresAt: string | null;
  readonly user: string | null;
  readonly project: string | null;
}

interface SessionState {
  /** Null until the gateway has answered. */
  readonly ways: Ways | null;
  readonly session: Session | null;
  /** Why the person must sign in again; null the first time. */
  readonly reason: string | null;
}

/** The fields of the form, as POST /session takes them. */
export interface SignInForm {
  readonly user: string;
  readonly domain: string;
  readonly password: string;
  readonly passcode: string | null;
  readonly project: string | null;
  readonly projectDomain: string;
}

const key = 'placement.session';
const answerTime = 150;

export const sessionStore = new Store<SessionState>({ ways: null, session: null, reason: null });
const siblings = new BroadcastChannel(key);

/** Finds a token: that of this tab, of another tab, or the one that the gateway gives to everyone. */
export async function startSession(): Promise<void> {
  const ways = await readWays();
  const own = stored();
  siblings.addEventListener('message', ({ data }) => {
    const { session } = sessionStore.get();
    if (data === 'ask' && session) siblings.postMessage(session);
    else if (isSession(data) && session === null) keep(data);
  });
  sessionStore.set({ ...sessionStore.get(), ways });
  if (ways.token !== null) keep({ token: ways.token, expiresAt: null, user: null, project: null });
  else if (own) keep(own);
  else {
    siblings.postMessage('ask');
    await new Promise((resolve) => setTimeout(resolve, answerTime));
  }
}

async function readWays(): Promise<Ways> {
  const response = await fetch('/session', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

/** Signs in at Keystone through the gateway. Rejects with a message for the person. */
export async function signIn(form: SignInForm): Promise<void> {
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(form),
  });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.errors?.[0]?.message ?? `The gateway answered with ${response.status}.`);
  keep(answer);
}

/** Takes a token that the person has from elsewhere. */
export function takeToken(token: string): void {
  keep({ token, expiresAt: null, user: null, project: null });
}

/** Ends the session, because the token is invalid or the person leaves. */
export function signOut(reason: string | null): void {
  sessionStorage.removeItem(key);
  sessionStore.set({ ...sessionStore.get(), session: null, reason });
}

/** Ends the session if its token is the one that the gateway refused. Answers come late, so another token may be in use by now. */
export function dropToken(token: string): void {
  if (sessionStore.get().session?.token === token) signOut('The token is invalid or has expired.');
}

function keep(session: Session): void {
  sessionStorage.setItem(key, JSON.stringify(session));
  sessionStore.set({ ...sessionStore.get(), session, reason: null });
}

function stored(): Session | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isSession(found) ? found : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string';
}
