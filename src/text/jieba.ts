import { requireLike } from '../data/arguments.ts';
import { refuse } from '../errors.ts';
import type { TokenFunction } from './options.ts';

/** A word segmenter for Chinese: an instance of Jieba from @node-rs/jieba, or anything with its `cut`. */
export interface ChineseCutter {
  cut(text: string, hmm?: boolean): readonly string[];
}

const HAS_LETTER = /[\p{L}\p{N}]/u;

/** A tokenizer from a segmenter, for the option `tokenizer`; tokens without a letter or number are left out. */
export function chineseTokenizer(cutter: ChineseCutter): TokenFunction {
  requireLike(cutter, 'a cutter of jieba', { cut: 'function' });
  return (text) => cutter.cut(text, true).filter((word) => HAS_LETTER.test(word));
}

interface JiebaPackage {
  readonly Jieba: { withDict(dict: Uint8Array): ChineseCutter };
}

/**
 * Loads @node-rs/jieba with its own dictionary. It segments better than `tokenizer: 'auto'`, at the cost of 11 MB of
 * native code. Throws E_ENGINE_UNAVAILABLE if it is not installed.
 */
export async function loadJieba(): Promise<TokenFunction> {
  // Not literals, so that bundlers don't follow them: the package is native and optional.
  const [name, dictionary] = ['@node-rs/jieba', '@node-rs/jieba/dict'];
  try {
    const { Jieba } = (await import(name)) as JiebaPackage;
    const { dict } = (await import(dictionary)) as { dict: Uint8Array };
    return chineseTokenizer(Jieba.withDict(dict));
  } catch (cause) {
    return refuse('E_ENGINE_UNAVAILABLE', 'Jieba needs its package: npm install @node-rs/jieba', {}, cause);
  }
}
