import { BernoulliNB, CountVectorizer, topWords } from 'polya';
import { loadSms } from 'polya/node';
import { axes, colours, line, picture, type Say, text } from './svg.ts';

/** The documents and the model of lesson 3, for the 600 most frequent words. */
function learnWords() {
  const { rows, text: column, target } = loadSms();
  const words = new CountVectorizer({ binary: true, maxFeatures: 600 });
  const X = words.fitTransform(rows.map((row) => `subject: ${row[column!]}`));
  const model = new BernoulliNB().fit(
    X,
    rows.map((row) => String(row[target])),
  );
  return { model, names: words.getFeatureNamesOut() };
}

/** Lesson 3: p(xⱼ = 1 | c) of 600 words in each class (the kind of figure 3.8 in Murphy's book), words in alphabetical order. */
export function classDensities(say: Say): string {
  const { model, names } = learnWords();
  const [height, gap] = [230, 220];
  const panels = model.classes.map((label, c) => {
    const { x, y, parts } = axes(
      {
        from: 0,
        to: 600,
        ticks: [0, 100, 200, 300, 400, 500, 600],
        label: say('words in alphabetical order', '按字母顺序排列的词'),
      },
      { from: 0, to: 1.2, ticks: [0, 0.25, 0.5, 0.75, 1], label: '' },
      height,
    );
    const share = Array.from(model.featureLogProb.row(c), Math.exp);
    const moves = share.map((p, j) => `M${x(j + 0.5).toFixed(1)} ${y(0)}V${y(p).toFixed(1)}`);
    const spikes = `<path d="${moves.join('')}" stroke="${colours[c]}" stroke-width="1.2"/>`;
    const leads = (p: number, j: number) => p > 0.2 && p === Math.max(...share.slice(Math.max(0, j - 25), j + 26));
    const named = share.flatMap((p, j) =>
      leads(p, j) ? [text(x(j + 0.5), y(p) - 5, names[j], { anchor: 'middle', size: 12 })] : [],
    );
    const title = text(76, 34, `p(x = 1 | ${label})`, { bold: true, fill: colours[c] });
    return `<g transform="translate(0 ${c * gap})">\n${[...parts, spikes, ...named, title].join('\n')}\n</g>`;
  });
  return picture(
    say('The probability of each word in ham and in spam', '各个词在正常短信和垃圾短信中的概率'),
    height + gap,
    panels,
  );
}

/** Lesson 3: the most probable words of each class beside the most informative ones (the kind of table 3.1 in Murphy's book). */
export function informativeWords(say: Say): string {
  const { model, names } = learnWords();
  const { classes, informative } = topWords(model, { names, k: 5 });
  const columns = [
    ...classes.map(({ label, words }, c) => ({
      head: say(`most probable in ${label}`, `${label} 中最常见的词`),
      unit: `p(x = 1 | ${label})`,
      fill: colours[c],
      cells: words.map(({ word, probability }) => [word, probability.toFixed(3)]),
    })),
    {
      head: say('most informative', '信息量最大的词'),
      unit: say('bits', '比特'),
      fill: colours[2],
      cells: informative.map(({ word, information }) => [word, information.toFixed(3)]),
    },
  ];
  const drawn = columns.flatMap(({ head, unit, fill, cells }, k) => {
    const [left, right] = [32 + 228 * k, 232 + 228 * k];
    return [
      text(left, 34, head, { bold: true, fill }),
      text(right, 58, unit, { anchor: 'end', size: 12 }),
      text(left, 58, say('word', '词'), { size: 12 }),
      line(left, 66, right, 66, '#24292f'),
      ...cells.flatMap(([word, value], i) => [
        text(left, 90 + 26 * i, word),
        text(right, 90 + 26 * i, value, { anchor: 'end' }),
      ]),
      line(left, 208, right, 208, '#24292f'),
    ];
  });
  return picture(say('Probable words beside informative words', '常见的词与信息量大的词'), 228, drawn);
}
