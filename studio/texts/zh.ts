import type { Texts } from './en.ts';
import { frame } from './zh/frame.ts';
import { learning } from './zh/learning.ts';
import { library } from './zh/library.ts';
import { looking } from './zh/looking.ts';

/** 全部界面文字，简体中文。 */
export const zh: Texts = { ...frame, ...learning, ...looking, library };
