import { frame } from './en/frame.ts';
import { learning } from './en/learning.ts';
import { looking } from './en/looking.ts';
import { told } from './en/told.ts';

/** Every text of the studio in English; another language is another object of this shape. */
export const en = { ...frame, ...learning, ...looking, told };

/** See `en`. */
export type Texts = typeof en;
