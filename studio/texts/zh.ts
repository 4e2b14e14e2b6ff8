import type { Texts } from './en.ts';
import { elsewhere } from './zh/elsewhere.ts';
import { frame } from './zh/frame.ts';
import { learning } from './zh/learning.ts';
import { library } from './zh/library.ts';
import { live } from './zh/live.ts';
import { looking } from './zh/looking.ts';
import { server } from './zh/server.ts';

/** 全部界面文字，简体中文。 */
export const zh: Texts = { ...frame, ...learning, ...looking, ...server, ...elsewhere, ...live, library };
