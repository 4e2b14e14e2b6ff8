import { computed, effect, signal } from '@preact/signals';
import { remember, remembered } from '../memory.ts';
import type { Notice } from '../protocol.ts';
import { en, type Texts } from './en.ts';
import { zh } from './zh.ts';

/** The languages by their tags. */
export const languages = { en, 'zh-CN': zh } as const;

/** The tag of a language. */
export type Language = keyof typeof languages;

const usual = (): Language => (navigator.language.startsWith('zh') ? 'zh-CN' : 'en');

/** The current language; the choice is remembered. */
export const language = signal<Language>(remembered<Language>('language', usual()));

/** All texts in the current language. */
export const texts = computed<Texts>(() => languages[language.value] ?? en);

effect(() => {
  document.documentElement.lang = language.value;
  document.title = texts.value.title;
  remember('language', language.value);
});

/** A warning in the current language. */
export const noticed = ({ kind, about = '', value, sentence }: Notice): string =>
  texts.value.library.warning(kind, about, value === undefined ? '' : String(value), sentence);

/** A whole number in the format of the language. */
export const whole = (value: number): string =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: 0 }).format(value);

/** A number with three decimals; a dash if undefined. */
export const three = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : new Intl.NumberFormat(language.value, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(value);

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
