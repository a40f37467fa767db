// Keeps a page that fails from taking the others with it.
import { Component, type ReactNode } from 'react';
import { Gone } from '../parts/states.tsx';

interface BoundaryState {
  readonly error: Error | null;
}

/** After an upgrade, an old page asks for chunks that are gone. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const isOldChunk = /dynamically imported module|preload/i.test(error.message);
    return (
      <Gone title={isOldChunk ? 'This version of the page is gone' : 'This page cannot be shown'}>
        <p>{isOldChunk ? 'The gateway now runs another version.' : error.message}</p>
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </Gone>
    );
  }
}
