/** What the library says: in English it is said as it came. Another language says it by its code, kind or form. */
export const library = {
  /** A refusal, by its code. */
  refusal: (_code: string, sentence: string): string => sentence,
  /** A warning: its kind, what it is about, how much, and the sentence of the library. */
  warning: (_kind: string, _about: string, _value: string, sentence: string): string => sentence,
  /** Why a column or a file is taken for what it is. */
  reason: (text: string): string => text,
  /** What a model is, in one line. */
  summary: (text: string): string => text,
};
