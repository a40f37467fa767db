// Keeps a page that fails from taking the others with it.
import { Component, type ReactNode } from 'react';
import { Placeholder } from '../parts/states.tsx';

interface BoundaryState {
  readonly error: Error | null;
}

export class PageBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Placeholder title="This page cannot be shown">
        <p>{error.message}</p>
        <button type="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </Placeholder>
    );
  }
}
