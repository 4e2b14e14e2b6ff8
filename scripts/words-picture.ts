// Draws docs/images/words.svg: a message is typed word by word, each word is coloured by what it adds to the score of spam, and the
// probability follows. All numbers are of a model that is trained here on the SMS sample: npx tsx scripts/words-picture.ts
import { writeFileSync } from 'node:fs';
import { CountVectorizer, MultinomialNB, makePipeline } from 'polya';
import { loadSms } from 'polya/node';

const MESSAGE = 'Congratulations! You have won a free holiday. Call now to claim your prize';
const [WIDTH, HEIGHT, LINE, SECONDS] = [760, 190, 40, 12];
/** The share of the time that typing takes; the rest shows the result. */
const TYPING = 0.6;

interface Word {
  readonly text: string;
  /** ln p(word | spam) − ln p(word | ham). */
  readonly logOdds: number;
  /** The probability of spam once the word is typed. */
  readonly probability: number;
}

/** The words of the message with the answers of the model as they are typed. */
function typed(): Word[] {
  const { rows } = loadSms();
  const model = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
    rows.map(({ text }) => text),
    rows.map(({ label }) => label),
  );
  const spam = model.classes.indexOf('spam');
  const words = MESSAGE.split(' ');
  return words.map((text, k) => {
    const [{ contributions }] = model.explain([text]);
    const logOdds = contributions.reduce((sum, { byClass }) => sum + byClass[spam] - byClass[1 - spam], 0);
    const probability = model.predictProba([words.slice(0, k + 1).join(' ')]).row(0)[spam];
    return { text, logOdds, probability };
  });
}

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** The picture as SVG; it moves by style sheets alone, and stands still for readers who prefer that. */
function wordsPicture(words: readonly Word[]): string {
  const at = (k: number) => (TYPING * (k + 1)) / words.length;
  let [x, y] = [28, 62];
  const drawn = words.map(({ text, logOdds }, k) => {
    const width = 9.7 * text.length + 12;
    if (x + width > WIDTH - 28) [x, y] = [28, y + LINE];
    const place = x;
    x += width + 4;
    const strength = Math.min(1, Math.abs(logOdds) / 5).toFixed(2);
    const kind = logOdds > 0 ? 'spam' : 'ham';
    return `<g class="w w${k}"><rect x="${place}" y="${y - 21}" width="${width.toFixed(1)}" height="30" rx="5" class="${kind}" fill-opacity="${strength}"/><text x="${place + 6}" y="${y}">${text}</text></g>`;
  });
  const appear = words.map(
    (_, k) =>
      `@keyframes w${k} { 0%, ${percent(at(k - 1))} { opacity: 0 } ${percent(at(k - 1) + 0.01)}, 97% { opacity: 1 } 100% { opacity: 0 } } .w${k} { animation-name: w${k} }`,
  );
  const bar = words.map(({ probability }, k) => `${percent(at(k))} { transform: scaleX(${probability.toFixed(4)}) }`);
  const last = words[words.length - 1].probability;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="The message “${MESSAGE}” is typed; each word is coloured by how much it counts for spam, and the probability of spam rises to ${percent(last)}">
<style>
  text { font: 16px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328 }
  .frame { fill: #fbf8f4; stroke: #d8d2c8 } .label { font: 13px system-ui, sans-serif; fill: #59636e } .rail { fill: #e6e0d6 }
  .spam { fill: #e07a5f } .ham { fill: #5b9bd5 } .bar { fill: #b4472e; transform-origin: 28px 0; animation: bar ${SECONDS}s linear infinite }
  .w { animation-duration: ${SECONDS}s; animation-iteration-count: infinite }
  ${appear.join('\n  ')}
  @keyframes bar { 0% { transform: scaleX(0) } ${bar.join(' ')} 97% { transform: scaleX(${last.toFixed(4)}) } 100% { transform: scaleX(0) } }
  @media (prefers-reduced-motion: reduce) { .w, .bar { animation: none } }
  @media (prefers-color-scheme: dark) { text { fill: #f0ece6 } .frame { fill: #1d1a17; stroke: #3b352e } .rail { fill: #3b352e } .label { fill: #a39b90 } .bar { fill: #e07a5f } }
</style>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="10" class="frame"/>
${drawn.join('\n')}
<text x="28" y="146" class="label">probability of spam, by a model of 5,574 text messages</text>
<rect x="28" y="156" width="${WIDTH - 56}" height="12" rx="6" class="rail"/>
<rect x="28" y="156" width="${WIDTH - 56}" height="12" rx="6" class="bar"/>
</svg>
`;
}

writeFileSync(new URL('../docs/images/words.svg', import.meta.url), wordsPicture(typed()));
