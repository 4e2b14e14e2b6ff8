import type { TSchema } from 'typebox';
import { learning } from './learning.ts';
import { looking } from './looking.ts';
import { others } from './others.ts';

/** The JSON Schema of everything that `--json` prints, by its name. The package ships them as files; nothing loads this at run time. */
export const outputs: Readonly<Record<string, TSchema>> = { ...learning, ...looking, ...others };
