import { computed, effect, signal } from '@preact/signals';
import { remember, remembered } from '../memory.ts';
import type { Notice } from '../protocol.ts';
import { en, type Texts } from './en.ts';

/** The languages by their tags, each by its own name. */
export const languages = { en: 'English', 'zh-CN': '简体中文' } as const;

/** The tag of a language. */
export type Language = keyof typeof languages;

const usual = (): Language => (navigator.language.startsWith('zh') ? 'zh-CN' : 'en');

const wanted = remembered<Language>('language', usual());

/** The current language; the choice is remembered. */
export const language = signal<Language>(Object.hasOwn(languages, wanted) ? wanted : 'en');

/** The texts that are loaded; English ones are part of the page, others are loaded when they are chosen. */
const loaded = signal<Readonly<Partial<Record<Language, Texts>>>>({ en });

async function load(tag: Language): Promise<void> {
  if (loaded.peek()[tag]) return;
  const { zh } = await import('./zh.ts');
  loaded.value = { ...loaded.peek(), [tag]: zh };
}

await load(language.value).catch(() => undefined); // so that the page does not appear in English first

/** All texts in the current language. */
export const texts = computed<Texts>(() => loaded.value[language.value] ?? en);

effect(() => {
  const tag = language.value;
  remember('language', tag);
  if (loaded.value[tag]) {
    document.documentElement.lang = tag;
    document.title = texts.value.title;
  } else load(tag).catch(() => (language.value = 'en')); // the server of the page is gone
});

/** A warning in the current language. */
export const noticed = ({ kind, about = '', value, sentence }: Notice): string =>
  texts.value.library.warning(kind, about, value === undefined ? '' : String(value), sentence);

/** A whole number in the format of the language. */
export const whole = (value: number): string =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: 0 }).format(value);

/** A number with up to four significant digits. */
export const short = (value: number): string =>
  new Intl.NumberFormat(language.value, { maximumSignificantDigits: 4, useGrouping: false }).format(value);

/** A number with three decimals; a dash if undefined. */
export const three = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : new Intl.NumberFormat(language.value, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(value);

/** A p-value with its sign of comparison. */
export const pValue = (p: number): string => (p < 0.001 ? `p < ${three(0.001)}` : `p = ${three(p)}`);

/** A probability as a percentage, never rounded to 0 % or 100 %. */
export function chance(value: number): string {
  if (value > 0.9995 && value < 1) return `> ${percent(0.999)}`;
  if (value > 0 && value < 0.0005) return `< ${percent(0.001)}`;
  return percent(value);
}

/** A share as a percentage with one decimal. */
export const percent = (value: number): string =>
  new Intl.NumberFormat(language.value, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(value);
