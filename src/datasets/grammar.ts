import type { Random } from '../math/random.ts';

/** Sentences by name; `{name}` in a sentence stands for one of those of that name. */
export type Grammar = ReadonlyMap<string, readonly string[]>;

/** A grammar from its rules, with ` | ` between the sentences of a name. */
export function grammarOf(rules: Readonly<Record<string, string>>): Grammar {
  return new Map(Object.entries(rules).map(([name, sentences]) => [name, sentences.split(' | ')]));
}

/** A sentence of a name, every choice equally likely. */
export function sentenceOf(grammar: Grammar, name: string, random: Random): string {
  const sentences = grammar.get(name)!;
  const sentence = sentences[random.integer(sentences.length)]!;
  return sentence.replaceAll(/\{([a-z]+)\}/g, (_, inner: string) => sentenceOf(grammar, inner, random));
}
