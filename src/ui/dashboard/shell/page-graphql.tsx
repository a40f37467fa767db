// The GraphQL of the page in view, to open in the explorer with the same variables or to copy.
import { useEffect, useRef, useState } from 'react';
import { linkTo } from '../../explorer-link.ts';
import { askedNow } from '../data/asked.ts';
import styles from './shell.module.css';

export default function PageGraphql({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [documents] = useState(askedNow);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const copy = () => {
    const texts = documents.map(({ text, variables }) => `${text}\n# variables: ${JSON.stringify(variables)}\n`);
    navigator.clipboard.writeText(texts.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <dialog ref={dialog} aria-labelledby="page-graphql" onClose={onClose}>
      <h1 id="page-graphql">The GraphQL of this page</h1>
      {documents.length === 0 ? (
        <p>This page sends no queries.</p>
      ) : (
        <>
          <p>Open in the explorer, with the same variables:</p>
          <ul className={styles.documents}>
            {documents.map(({ name, text, variables }) => (
              <li key={`${name} ${JSON.stringify(variables)}`}>
                <a href={linkTo({ query: text, variables: JSON.stringify(variables, null, 2), operationName: name })}>{name}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p role="status">{isCopied && 'Copied.'}</p>
      {documents.length > 0 && (
        <button type="button" onClick={copy}>
          Copy
        </button>
      )}{' '}
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
