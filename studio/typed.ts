import { signal } from '@preact/signals';
import type { Instance } from './repeat.ts';

/** The typed cells on Try, by column. */
export const typed = signal<Instance>({});
