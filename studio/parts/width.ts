import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Pictures are no narrower and no wider. */
const [NARROWEST, WIDEST] = [250, 1100];

/** A width that a picture can have. */
export const pictureWidth = (width: number): number => Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));

/** How wide the place around an element is, also after it has changed. */
export function useWidth(inner: RefObject<Element | null>): number {
  const width = useSignal(720);
  useEffect(() => {
    const place = inner.current!.parentElement!;
    const measure = () => (width.value = pictureWidth(place.clientWidth));
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return width.value;
}
