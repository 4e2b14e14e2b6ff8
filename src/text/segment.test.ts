import { readFileSync } from 'node:fs';
import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import { readOptions } from '../core/options.ts';
import { readerOf } from './analyze.ts';
import { type AnalyzerOptions, analyzerSpec } from './options.ts';
import { MAY_BE_PACKED, PACKED, segmentWords } from './segment.ts';

describe('finds the words that a reader of the language expects', () => {
  const sentences: Record<string, [text: string, words: string]> = {
    Chinese: ['我来到北京清华大学，今天天气很好。', '我 来到 北京 清华大学 今天 天气 很好'],
    'a Chinese review': ['手机质量很好，屏幕清晰，物流也快！', '手机 质量 很好 屏幕 清晰 物流 也 快'],
    Japanese: ['日本の首都は東京です。', '日本 の 首都 は 東京 です'],
    'Japanese in katakana': ['コンピューターでゲームをする', 'コンピューター で ゲーム を する'],
    Thai: ['ฉันกินข้าวที่บ้านเพื่อน', 'ฉัน กิน ข้าว ที่ บ้าน เพื่อน'],
    Lao: ['ຂ້ອຍຮັກພາສາລາວ', 'ຂ້ອຍ ຮັກ ພາສາ ລາວ'],
    Khmer: ['ខ្ញុំស្រឡាញ់ភាសាខ្មែរ', 'ខ្ញុំ ស្រឡាញ់ ភាសាខ្មែរ'],
    Burmese: ['ကျွန်တော်မြန်မာစကားပြောတတ်တယ်', 'ကျွန်တော် မြန်မာ စကားပြော တတ် တယ်'],
    Hindi: ['मैं हिन्दी में लिखता हूँ।', 'मैं हिन्दी में लिखता हूँ'],
    Bengali: ['আমি বাংলায় গান গাই', 'আমি বাংলায় গান গাই'],
    Tamil: ['தமிழ் ஒரு செம்மொழி', 'தமிழ் ஒரு செம்மொழி'],
    Telugu: ['తెలుగు భాష అందమైనది', 'తెలుగు భాష అందమైనది'],
    Sinhala: ['ශ්‍රී ලංකාව ලස්සනයි', 'ශ්‍රී ලංකාව ලස්සනයි'],
    'Arabic with vowel signs': ['كَتَبَ مُحَمَّد رِسَالَة', 'كَتَبَ مُحَمَّد رِسَالَة'],
    Korean: ['나는 학교에 간다', '나는 학교에 간다'],
    German: ['Die Straße – schön & grün!', 'Die Straße schön grün'],
    'two scripts in one run': ['这台iPhone15手机very好用', '这 台 iPhone15 手机 very 好用'],
  };
  for (const [language, [text, words]] of Object.entries(sentences)) {
    test(language, () => expect(segmentWords(text)).toEqual(words.split(' ')));
  }

  test("scikit-learn's pattern treats a Chinese sentence as one word and drops Hindi vowel signs", () => {
    const words = (tokenizer: string, text: string) => {
      const reader = readerOf(readOptions('test', analyzerSpec, { tokenizer }) as AnalyzerOptions);
      return Array.from(reader.read(text, 0, true).ids, (id) => reader.term(id));
    };
    expect(words('sklearn', '我来到北京 हिन्दी')).toEqual(['我来到北京']);
    expect(words('auto', '我来到北京 हिन्दी')).toEqual(['我', '来到', '北京', 'हिन्दी']);
  });
});

test('no script without spaces has a character below the searched range', () => {
  const packed = new RegExp(PACKED, 'u');
  const letters = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
  expect(letters.filter((letter) => packed.test(letter) && !MAY_BE_PACKED.test(letter))).toEqual([]);
});

const pieces = fc.constantFrom(
  ...'aZ7_ -’“€…éßИжςΣאָכَب🙂𝔸漢字かカไทยກខက०न्दीİ\u0301\u200d\u200c',
  'word',
  'Größe',
  '日本',
);
check.prop([fc.array(pieces, { maxLength: 40 })])(
  'a reader finds the words of segmentWords in any mix of scripts',
  (parts) => {
    const text = parts.join('');
    const reader = readerOf(readOptions('test', analyzerSpec, { tokenizer: 'auto' }) as AnalyzerOptions);
    const found = Array.from(reader.read(text, 0, true).ids, (id) => reader.term(id));
    expect(found).toEqual([...new Set(segmentWords(text.toLowerCase()))]);
  },
);

describe('long texts', () => {
  test('92,000 Chinese characters without a break take less than a second, and no word is split', () => {
    const sentence = '今天天气很好我们去公园玩';
    const copies = Math.ceil(92_000 / sentence.length);
    let words: string[] = [];
    const spent = processorTime(() => (words = segmentWords(sentence.repeat(copies))));
    expect(spent).toBeLessThan(atMost(1000));
    const once = segmentWords(sentence);
    expect(words).toEqual(Array.from({ length: copies }, () => once).flat());
  });

  check.prop([
    fc.array(fc.constantFrom('今天', '天气', '，', ' ', 'abc', 'ไทย', '\n', '。', 'カナ', '𠮷'), { maxLength: 400 }),
  ])('lose no letter of the scripts without spaces, in any mixture', (pieces) => {
    const packed = (text: string) => text.match(/[\p{sc=Han}\p{sc=Thai}\p{sc=Katakana}]/gu)?.join('') ?? '';
    expect(packed(segmentWords(pieces.join('')).join(''))).toBe(packed(pieces.join('')));
  });
});

test.runIf(process.env.POLYA_DATA)('the Chinese reviews of the shared data are made of short words', async () => {
  const { gunzipSync } = await import('node:zlib');
  const lines = gunzipSync(readFileSync(`${process.env.POLYA_DATA}/shopping-zh.jsonl.gz`))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const words = lines.slice(0, 2000).flatMap((line) => segmentWords((JSON.parse(line) as { text: string }).text));
  const han = words.filter((word) => /^\p{sc=Han}+$/u.test(word));
  expect(han.length / words.length).toBeGreaterThan(0.9);
  expect(han.filter((word) => word.length > 4).length / han.length).toBeLessThan(0.01);
});
