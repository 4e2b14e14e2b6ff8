import { elsewhere } from './en/elsewhere.ts';
import { frame } from './en/frame.ts';
import { learning } from './en/learning.ts';
import { library } from './en/library.ts';
import { live } from './en/live.ts';
import { looking } from './en/looking.ts';
import { server } from './en/server.ts';

/** Every text of the studio in English; another language is another object of this shape. */
export const en = { ...frame, ...learning, ...looking, ...server, ...elsewhere, ...live, library };

/** See `en`. */
export type Texts = typeof en;
