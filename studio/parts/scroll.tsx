import type { ComponentChildren, JSX } from 'preact';

/** A scrollable region that can take the focus, so that the arrow keys scroll it. */
export function Scroll({
  label,
  height,
  onScroll,
  children,
}: {
  label: string;
  height?: number;
  onScroll?: (top: number) => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section
      class="scroll"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll (axe scrollable-region-focusable)
      tabIndex={0}
      {...(height !== undefined && { style: { maxHeight: `${height}px` } })}
      onScroll={(event) => onScroll?.(event.currentTarget.scrollTop)}
    >
      {children}
    </section>
  );
}
