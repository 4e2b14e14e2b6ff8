import { go } from './route.ts';
import { screens } from './screen-names.ts';
import { train } from './train.ts';

/** Keyboard actions other than going to a screen. */
export interface KeyActs {
  help(): void;
  close(): void;
}

/** Whether a key goes into a form field. */
export const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (/^(input|textarea|select)$/i.test(target.tagName) || target.isContentEditable);

/** Handles the keys of the page; inside form fields only Ctrl + Enter. */
export function listen({ help, close }: KeyActs): () => void {
  let going = false;
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void train();
      return;
    }
    if (event.key === 'Escape') close();
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const screen = going ? screens.find(([, key]) => key === event.key) : undefined;
    going = event.key === 'g' && !going;
    if (screen) {
      event.stopImmediatePropagation();
      go(screen[0]);
    } else if (event.key === '?') help();
    else if (event.key === '/') {
      const search = document.querySelector<HTMLInputElement>('input[type=search]');
      if (search) event.preventDefault();
      search?.focus();
    }
  };
  addEventListener('keydown', hear, true);
  return () => removeEventListener('keydown', hear, true);
}
