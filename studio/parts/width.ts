import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The minimum and maximum width of a picture. */
const [NARROWEST, WIDEST] = [250, 1100];

/** Clamps a width to that range. */
export const pictureWidth = (width: number): number => Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));

/** The width of the container of an element, updated when it changes. */
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
