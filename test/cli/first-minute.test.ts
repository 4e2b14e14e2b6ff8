import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folder, polya } from './harness.ts';

/**
 * The first minute with Pólya: write a sample, fit the default model, type a sentence. No model is tuned to these.
 *
 * Known misses that a visitor might type too. The messages are from before 2011 and hardly anything like "cheap loans, no credit
 * check, apply today", "buy one get one free, this weekend only", "buy viagra online" or "earn $5000 a week from home" is
 * among the spam. "not bad at all" is negative because negation is not modelled, and so is "I really enjoyed this movie"
 * because "movie" and "really" are more frequent in negative reviews.
 */
const sentences = {
  sms: {
    spam: [
      'free entry, call now',
      'win a free prize now',
      'Congratulations! You won a free iPhone, click here',
      'URGENT: your account has been suspended, verify now',
      'You have been selected to receive a $1000 gift card',
      'Claim your cash prize today, text WIN to 80082',
      'Your package could not be delivered, click the link to reschedule',
      'hot singles in your area',
      'FREE ringtone! Reply YES to claim',
    ],
    ham: [
      'are we still on for lunch?',
      'hey, can you pick up some milk on your way home?',
      'see you tomorrow at 8',
      "I'll be late, start without me",
      'happy birthday mum!',
      'did you get my email?',
      'thanks for dinner last night, it was lovely',
      'call me when you get home',
      'ok, see you soon',
      'can you send me the report by friday?',
      'what time does the movie start?',
    ],
  },
  reviews: {
    positive: [
      'a wonderful, moving film',
      'I loved every minute of it',
      'the best movie I have seen this year',
      'brilliant performances by the whole cast',
      'a masterpiece',
      'funny, warm and full of heart',
      'beautifully shot and well acted',
      'a delightful comedy for the whole family',
      'a touching story, beautifully told',
      'awesome',
    ],
    negative: [
      'what a waste of time',
      'boring and far too long',
      'terrible acting and a stupid plot',
      'I fell asleep halfway through',
      'one of the worst films ever made',
      'the jokes fall flat',
      'predictable and dull',
      'I want my money back',
      'I hated it',
      'the plot makes no sense',
    ],
  },
};

describe.each(Object.entries(sentences))('the default model of %s', (name, byLabel) => {
  const { path: cwd, remove } = folder();
  const expected = Object.entries(byLabel).flatMap(([label, texts]) => texts.map((text) => ({ text, label })));
  let answers: string[];

  beforeAll(async () => {
    for (const words of [
      ['demo', name],
      ['fit', `${name}.csv`, '-o', 'my.polya', '--holdout', '0'], // the saved model learns from all rows with or without held-out rows
    ])
      expect(await polya(words, { cwd })).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, 'typed.txt'), expected.map(({ text }) => `${text}\n`).join(''));
    const { out } = await polya(['predict', 'typed.txt', '-m', 'my.polya', '--output', 'csv'], { cwd });
    answers = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
  }, 300_000); // about 13 s of processor time for the reviews, more on a busy machine
  afterAll(remove);

  test.each(expected.map(({ text, label }, i) => ({ text, label, i })))('"$text" is $label', ({ label, i }) =>
    expect(answers[i]).toBe(label),
  );
});
