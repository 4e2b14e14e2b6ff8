import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { chineseTokenizer, loadJieba } from './jieba.ts';
import { loadStemmer, type StemLanguage, stemLanguages } from './stem.ts';
import { type StopWordLanguage, stopWordLanguages, stopWords } from './stop-words.ts';

describe('stop words', () => {
  test('there are lists for 24 languages, each without duplicates and in lower case', () => {
    expect(stopWordLanguages).toHaveLength(24);
    for (const language of stopWordLanguages) {
      const list = stopWords(language);
      expect(list.length, language).toBeGreaterThan(40);
      expect(new Set(list).size, language).toBe(list.length);
      expect(
        list.every((word) => word === word.toLowerCase() && word === word.normalize('NFC')),
        language,
      ).toBe(true);
    }
  });

  const samples: Partial<Record<StopWordLanguage, [text: string, rest: string[]]>> = {
    english: ['the cat is on the mat', ['cat', 'mat']],
    german: ['Der Hund und die Katze sind im Garten', ['garten', 'hund', 'katze']],
    french: ['Le chat est dans la maison avec nous', ['chat', 'maison']],
    spanish: ['El perro está en la casa con los gatos', ['casa', 'gatos', 'perro']],
    russian: ['Это очень хорошая книга для детей', ['детей', 'книга', 'хорошая']],
    turkish: ['Bu kitap çok güzel ama uzun', ['güzel', 'kitap', 'uzun']],
  };
  for (const [language, [text, rest]] of Object.entries(samples)) {
    test(`removes the stop words of a sentence in ${language}`, () => {
      const options = { stopWords: stopWords(language as StopWordLanguage) };
      expect(new CountVectorizer(options).fit([text]).getFeatureNamesOut()).toEqual(rest);
    });
  }

  test('an unknown language is E_PARAM', () => {
    expect(refusalOf(() => stopWords('klingon' as never)).code).toBe('E_PARAM');
    expect(refusalOf(() => stopWords('constructor' as never)).code).toBe('E_PARAM');
  });
});

describe('stemming', () => {
  const pairs: Partial<Record<StemLanguage, [word: string, stem: string][]>> = {
    english: [['running', 'run'], ['generously', 'generous'], ['ponies', 'poni']],
    german: [['häuser', 'haus'], ['kategorischen', 'kategor']],
    french: [['continuellement', 'continuel'], ['majestueux', 'majestu']],
    spanish: [['chicos', 'chic'], ['torneos', 'torne']],
    italian: [['abbandonata', 'abbandon']],
    portuguese: [['boataria', 'boat']],
    dutch: [['lichamelijk', 'licham']],
    swedish: [['klokheten', 'klok']],
    danish: [['undersøgelse', 'undersøg']],
    norwegian: [['havnedistriktene', 'havnedistrikt']],
    finnish: [['edeltäjien', 'edeltäj']],
    hungarian: [['babakocsijáért', 'babakocs']],
    romanian: [['abruptele', 'abrupt']],
    russian: [['важнейшими', 'важн']],
    turkish: [['kitaplar', 'kitap']],
  }; // biome-ignore format: pairs
  for (const [language, words] of Object.entries(pairs)) {
    test(`Snowball stems ${language} as its website shows`, async () => {
      const stem = await loadStemmer(language as StemLanguage);
      for (const [word, expected] of words) expect(stem(word)).toBe(expected);
    });
  }

  test('there are 23 languages, and all of them load', async () => {
    expect(stemLanguages).toHaveLength(23);
    for (const language of stemLanguages) expect((await loadStemmer(language))('x')).toBe('x');
  });

  test('stems are counted together', async () => {
    const vectorizer = new CountVectorizer({ stemmer: await loadStemmer('english'), stopWords: 'english' });
    expect(vectorizer.fit(['He runs, they are running; we run']).getFeatureNamesOut()).toEqual(['run']);
  });

  test('an unknown language is E_PARAM', async () => {
    await expect(loadStemmer('klingon' as never)).rejects.toMatchObject({ code: 'E_PARAM' });
  });
});

describe('Jieba', () => {
  test('any segmenter works as a tokenizer; tokens without a letter are left out', () => {
    const cutter = { cut: (text: string) => text.split('|') };
    const vectorizer = new CountVectorizer({ tokenizer: chineseTokenizer(cutter) });
    expect(vectorizer.fit(['长江大桥|，|很|长|2|!']).getFeatureNamesOut()).toEqual(['2', '很', '长', '长江大桥']);
  });

  test('the package is loaded if installed; otherwise the error names it', async () => {
    const answer = await loadJieba().catch((refusal: { code: string }) => refusal.code);
    if (typeof answer === 'string') expect(answer).toBe('E_ENGINE_UNAVAILABLE');
    else expect([...answer('南京市长江大桥，')]).toEqual(['南京市', '长江大桥']);
  });
});
