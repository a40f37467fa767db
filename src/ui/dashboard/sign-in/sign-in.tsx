// The overlay that asks for a token or a password. The page under it stays, so that a deep link survives.
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { sessionStore, signIn, takeToken } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import styles from './sign-in.module.css';

interface SignInProps {
  readonly onDone?: () => void;
  /** Called when the overlay is closed; without it, it cannot be closed. */
  readonly onCancel?: () => void;
}

export function SignIn({ onDone = () => {}, onCancel }: SignInProps) {
  const { ways, reason } = useStore(sessionStore);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const takesPasswords = ways?.defaultDomain !== null;
  const [wantsToken, setWantsToken] = useState(!takesPasswords);
  return (
    <dialog ref={dialog} aria-labelledby="sign-in" onCancel={(event) => (onCancel ? onCancel() : event.preventDefault())}>
      <h1 id="sign-in">Sign in</h1>
      {reason !== null && <p className={styles.fault}>{reason}</p>}
      {wantsToken ? <TokenForm onDone={onDone} /> : <PasswordForm domain={ways?.defaultDomain ?? 'Default'} onDone={onDone} />}
      {takesPasswords && (
        <button type="button" className={styles.other} onClick={() => setWantsToken(!wantsToken)}>
          {wantsToken ? 'Sign in with a password' : 'Paste a token'}
        </button>
      )}
    </dialog>
  );
}

function TokenForm({ onDone }: { readonly onDone: () => void }) {
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim();
    if (token === '') return;
    takeToken(token);
    onDone();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label>
        Token
        <input name="token" type="password" autoComplete="off" spellCheck={false} required />
      </label>
      <p className={styles.hint}>It stays in this tab and is sent only to this gateway.</p>
      <button type="submit">Sign in</button>
    </form>
  );
}

function PasswordForm({ domain, onDone }: { readonly domain: string; readonly onDone: () => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const field = (name: string) => String(fields.get(name) ?? '').trim();
    const form = {
      user: field('user'),
      domain: field('domain'),
      password: String(fields.get('password') ?? ''),
      passcode: field('passcode') || null,
      project: field('project') || null,
      projectDomain: field('projectDomain'),
    };
    setBusy(true);
    setFault(null);
    signIn(form)
      .then(onDone, (error: Error) => setFault(error.message))
      .finally(() => setBusy(false));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label>
        User
        <input name="user" autoComplete="username" required />
      </label>
      <label>
        Domain
        <input name="domain" defaultValue={domain} required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <label>
        One-time code, if you have one
        <input name="passcode" inputMode="numeric" autoComplete="one-time-code" />
      </label>
      <label>
        Project
        <input name="project" />
      </label>
      <label>
        Project domain
        <input name="projectDomain" defaultValue={domain} required />
      </label>
      {fault !== null && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <button type="submit" disabled={isBusy}>
        {isBusy ? 'Asking Keystone …' : 'Sign in'}
      </button>
    </form>
  );
}
