import { Component, type ComponentChildren } from 'preact';
import { texts } from '../texts/index.ts';

/** An error boundary: shows what failed in a screen, with a button to try again. */
export class ErrorBoundary extends Component<
  { readonly children: ComponentChildren; readonly onRetry: () => void },
  { readonly error: Error | undefined }
> {
  override state = { error: undefined };

  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state as { error: Error | undefined };
    if (!error) return this.props.children;
    const { refusal } = texts.value;
    return (
      <section class="refusal" role="alert">
        <b>{refusal.broken}</b>
        <p>
          <bdi>{error.message}</bdi>
        </p>
        <button type="button" onClick={this.props.onRetry}>
          {refusal.again}
        </button>
      </section>
    );
  }
}
