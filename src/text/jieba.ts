import { requireLike } from '../data/arguments.ts';
import { refuse } from '../errors.ts';
import type { TokenFunction } from './options.ts';

/** What cuts Chinese text: an instance of Jieba from @node-rs/jieba, or anything with its `cut`. */
export interface ChineseCutter {
  cut(text: string, hmm?: boolean): readonly string[];
}

const HAS_LETTER = /[\p{L}\p{N}]/u;

/** A tokenizer from a cutter; what holds no letter or number is left out. For the option `tokenizer`. */
export function chineseTokenizer(cutter: ChineseCutter): TokenFunction {
  requireLike(cutter, 'a cutter of jieba', { cut: 'function' });
  return (text) => cutter.cut(text, true).filter((word) => HAS_LETTER.test(word));
}

interface JiebaPackage {
  readonly Jieba: { withDict(dict: Uint8Array): ChineseCutter };
}

/**
 * Loads @node-rs/jieba with its own dictionary. Its words are better than those of `tokenizer: 'auto'`, at 11 MB of native code.
 * Where it is not installed the answer is E_ENGINE_UNAVAILABLE.
 */
export async function loadJieba(): Promise<TokenFunction> {
  // The names are not literals, so that no bundler follows them: the package is native and optional.
  const [name, dictionary] = ['@node-rs/jieba', '@node-rs/jieba/dict'];
  try {
    const { Jieba } = (await import(name)) as JiebaPackage;
    const { dict } = (await import(dictionary)) as { dict: Uint8Array };
    return chineseTokenizer(Jieba.withDict(dict));
  } catch (cause) {
    return refuse('E_ENGINE_UNAVAILABLE', 'Jieba needs its package: npm install @node-rs/jieba', {}, cause);
  }
}
