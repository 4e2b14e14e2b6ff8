import { signal } from '@preact/signals';
import type { Instance } from './repeat.ts';

/** What is typed on Try, column by column. */
export const typed = signal<Instance>({});
