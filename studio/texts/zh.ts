import type { Texts } from './en.ts';
import { frame } from './zh/frame.ts';
import { learning } from './zh/learning.ts';
import { looking } from './zh/looking.ts';
import { told } from './zh/told.ts';

/** 全部界面文字，简体中文。 */
export const zh: Texts = { ...frame, ...learning, ...looking, told };
