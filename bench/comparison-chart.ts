/** The result of a program on a set of texts: accuracy and processor time. */
export interface Figures {
  readonly accuracy: number;
  readonly trainMs: number;
  readonly predictMs: number;
}

/** The figures of all programs, as bench/comparison.json has them. A program that did not come to an end has no figures. */
export interface Comparison {
  readonly date: string;
  readonly machine: string;
  readonly results: readonly {
    readonly set: string;
    readonly title: string;
    readonly train: number;
    readonly test: number;
    readonly figures: readonly ({ readonly program: string } & Partial<Figures>)[];
  }[];
}

const ROW = 21;
const [WIDTH, LEFT, BAR] = [880, 190, 230];
const SECOND = LEFT + BAR + 130;
const count = (value: number) => Math.round(value).toLocaleString('en-US');

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .soft { fill: #59636e } .head { font-weight: 600 } .bar { fill: #c4ccd4 } .own { fill: #b4472e }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .soft { fill: #9198a1 } .bar { fill: #4a535d } .own { fill: #e07a5f } }`;

/** Accuracy and the texts learned per second of processor time, as an SVG picture. */
export function comparisonChart({ date, machine, results }: Comparison): string {
  const speed = ({ trainMs }: Partial<Figures>, texts: number) => (trainMs ? (1000 * texts) / trainMs : 0);
  const fastest = Math.max(...results.flatMap(({ train, figures }) => figures.map((own) => speed(own, train))));
  const lines: string[] = [];
  let y = 24;
  const text = (x: number, words: string, kind = '') =>
    lines.push(`<text x="${x}" y="${y}" class="${kind}">${words}</text>`);
  const bar = (x: number, share: number, own: boolean) =>
    lines.push(
      `<rect x="${x}" y="${y - 11}" width="${(BAR * share).toFixed(1)}" height="13" rx="2" class="${own ? 'own' : 'bar'}"/>`,
    );
  text(LEFT, 'Accuracy on held-out texts', 'head');
  text(SECOND, 'Texts learned per second', 'head');
  for (const { title, train, test, figures } of results) {
    y += ROW + 10;
    text(10, title, 'head');
    text(LEFT, `${count(train)} texts to learn, ${count(test)} held out`, 'soft');
    for (const own of figures) {
      y += ROW;
      const isOwn = own.program.startsWith('Pólya');
      text(10, own.program);
      if (own.accuracy === undefined) {
        text(LEFT, 'not done in two minutes', 'soft');
        continue;
      }
      bar(LEFT, own.accuracy, isOwn);
      text(LEFT + BAR + 8, `${(100 * own.accuracy).toFixed(1)} %`);
      bar(SECOND, speed(own, train) / fastest, isOwn);
      text(SECOND + (BAR * speed(own, train)) / fastest + 8, count(speed(own, train)));
    }
  }
  y += ROW + 12;
  text(10, 'Processor time of the last of up to four runs, one process each, default settings.', 'soft');
  y += ROW - 2;
  text(10, `${machine}, ${date}. Measured by bench/comparison.ts.`, 'soft');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 14}" role="img" aria-label="Accuracy and speed of Pólya, scikit-learn and npm packages on three sets of texts">
<style>${style}</style>
${lines.join('\n')}
</svg>
`;
}
