import type { Refusal } from '../../protocol.ts';

/** Messages of the library. English shows them as they are; other languages translate them by code, kind or pattern. */
export const library = {
  /** An error, by its code, sentence and details. */
  refusal: ({ sentence }: Refusal): string => sentence,
  /** Why a row could not be read. */
  badRow: (reason: string): string => reason,
  /** A warning, by kind, subject and value, with the sentence of the library. */
  warning: (_kind: string, _about: string, _value: string, sentence: string): string =>
    sentence.charAt(0).toUpperCase() + sentence.slice(1),
  /** The reason for a detected format, encoding or target. */
  reason: (text: string): string => text,
  /** The one-line summary of a model. */
  summary: (text: string): string => text,
};
