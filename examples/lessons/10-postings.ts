// Set of words and bag of words on six postings, written by hand and with Pólya.
import { loadPostings, MultinomialNB, setOfWords } from 'polya';

const { rows } = loadPostings();
const posts = rows.map(({ text }) => String(text).split(' '));
const labels = rows.map(({ abusive }) => Number(abusive));

// By hand: a vocabulary, a vector per post, counts that start at 1 with totals that start at 2, sums of logarithms.
const vocabulary = [...new Set(posts.flat())];
const setOfWordsToVector = (words: string[]) => vocabulary.map((word) => Number(words.includes(word)));
const bagOfWordsToVector = (words: string[]) => vocabulary.map((word) => words.filter((own) => own === word).length);
const train = (matrix: number[][]) =>
  [0, 1].map((label) => {
    const own = matrix.filter((_, i) => labels[i] === label);
    const total = 2 + own.flat().reduce((sum, n) => sum + n, 0);
    return vocabulary.map((_, j) => Math.log((1 + own.reduce((sum, row) => sum + row[j], 0)) / total));
  });
const prior = [0, 1].map((label) => Math.log(labels.filter((own) => own === label).length / labels.length));
const classify = (vector: number[], weights: number[][]) => {
  const [fine, abusive] = weights.map((row, c) => row.reduce((sum, weight, j) => sum + weight * vector[j], prior[c]));
  return Number(abusive > fine);
};
const bySets = train(posts.map(setOfWordsToVector));
const byBags = train(posts.map(bagOfWordsToVector));

// With the library: the same counts; totals start at the size of the vocabulary instead of 2.
const words = setOfWords({ tokenPattern: /\S+/gu, lowercase: false });
const model = new MultinomialNB({ alpha: 1 }).fit(words.fitTransform(posts.map((post) => post.join(' '))), labels);

for (const entry of [
  ['love', 'my', 'dalmation'],
  ['stupid', 'garbage'],
]) {
  const [set, bag] = [classify(setOfWordsToVector(entry), bySets), classify(bagOfWordsToVector(entry), byBags)];
  const [own] = model.predict(words.transform([entry.join(' ')]));
  console.log(`${JSON.stringify(entry)} classified as ${set} by sets, ${bag} by bags, ${own} by the library`);
}
