import { suggest } from '../../data/suggest.ts';
import type { Context } from '../context.ts';
import { command } from '../declare.ts';
import { commandHelp, programHelp } from '../help.ts';
import { fail } from '../problem.ts';
import { loadCommand, verbNamed, verbs } from '../registry.ts';
import { corrected } from '../shell.ts';
import { didYouMean, quote } from '../usage.ts';

/** `polya help` */
export const help = command({
  arguments: [{ name: 'topic', doc: 'a command or a topic', complete: 'topic' }],
  options: {},
  examples: [
    { line: 'polya help models', says: 'which model is for what' },
    { line: 'polya help fit', says: 'the same as polya fit --help' },
  ],
  run,
});

async function run({ args, print, words }: Context): Promise<void> {
  const [topic] = args;
  const { screen } = print;
  const verb = topic === undefined ? undefined : verbNamed(topic);
  if (topic === undefined) await print.raw(programHelp(screen));
  else if (verb) await print.raw(commandHelp(await loadCommand(verb), 'full', screen));
  else if (Object.hasOwn(topics, topic)) await print.raw(topics[topic].slice(1));
  else {
    const near = suggest(topic, [...Object.keys(topics), ...verbs.map(({ name }) => name)]);
    fail('E_USAGE', `There is no help on ${quote(topic)}.${didYouMean(near)}`, {
      notes: [`Topics: ${Object.keys(topics).join(', ')}; or the name of a command.`],
      command: near && corrected(words, topic, near),
    });
  }
}

/** The pages of `polya help TOPIC`. */
export const topics: Readonly<Record<string, string>> = {
  formats: `
The format is detected from the content, not from the name; --format sets it. gzip is unpacked.

  csv tsv    the delimiter is detected too (comma, tab, semicolon, bar); --delimiter, --header yes|no
  jsonl      one JSON object per line; nested objects become columns such as user.age
  json       an array of JSON objects
  arff       Weka's format, dense or sparse
  parquet    read by columns
  folder     one sub-folder per class with text files in it: columns label, text, file
  mbox       mail: from, to, subject, date, labels, text
  fasttext   lines such as "__label__spam win a prize"
  text       one text per line: column text

Data are files, a pattern such as 'data/*.csv', a folder of tables, an address (https://…; s3://… with DuckDB installed)
or - for stdin. Columns of one name are numbered, with a warning.
Text is UTF-8, strictly, or UTF-16 with a byte order mark; --encoding latin1, gb18030 and others read the rest.
Numbers may have currency signs, a percent sign and separators between thousands; the decimal mark is detected column by
column, and --decimal point|comma decides it. Dates become days, weekday, month and hour; --date-order decides 5/4/2023.
Codes with leading zeros (08713) are categories. NA, N/A, null, NaN, ? and - are missing. What is ignored is listed.
A broken row is refused with its place; --max-bad-rows N leaves out up to N of them, into FILE.rejects.
--where COLUMN=VALUE selects rows, --max-rows N takes the first.

scikit-learn parameters for polya import: polya help sklearn
`,
  models: `
  auto                   tries what fits the columns and weighs the best together, calibrated
  multinomial            text: how often each word occurs
  complement             text: words of all other classes; good for uneven classes
  bernoulli              text: which words occur and which do not
  dirichlet-multinomial  text: the Pólya urn, where a word that came once comes again (also: urn)
  poisson                counts
  gaussian               numbers: a bell curve for each class and column
  kernel                 numbers: any shape (also: kde)
  categorical            levels; numbers are cut into bins
  mixed                  each column with the family of its kind, text too
  tan aode waode kdb     levels that depend on one another; kdb on up to five others
  lda qda rda            numbers that vary together: one ellipse for all classes, one for each, or between

All of them go on learning: polya update, unlearn, merge.
`,
  smoothing: `
  --alpha A          pseudo-count of every word or level: 0 believes the counts alone, 1 is Laplace's rule;
                     auto chooses it by leaving one row out at a time, exactly
  --smoothing N=V    other parameters by their names: varSmoothing, bandwidth, shrinkage, lambda, gamma, shape, rate …
  --priors P         empirical (as often as in the data), uniform, or LABEL=P,LABEL=P

polya tune tries several by folds.
`,
  config: `
polya.config.json is looked for here and in the folders above. A flag is stronger than the environment, the environment
stronger than the file, the file stronger than the default; --print-config shows every value with its origin.

  {
    "$schema": "./node_modules/polya/schemas/config.schema.json",
    "target": "label",
    "model": "multinomial",
    "predict": { "output": "jsonl", "reject": 0.6 }
  }

Names are those of the options, in camelCase or with dashes. At the top they hold for every command that has them, under
the name of a command for that command. In the environment: POLYA_TARGET, POLYA_MAX_BAD_ROWS …
`,
  'exit-codes': `
  0    done
  1    a bug in Pólya
  2    wrong usage: command, option, value
  3    input refused: format, encoding, columns, labels, values
  4    model refused: no model file, damaged, newer, other family, cannot do this
  5    files: not there, not allowed, disk full, would overwrite
  6    an engine is not there or refused
  7    a limit or the time was passed
  8    a score is under --fail-under or over --fail-over
  130  interrupted (Ctrl-C)      143  terminated

Errors go to stderr, with --json as one JSON object with "code", "message", "details" and "suggestion".
`,
  sklearn: `
In Python, with the program examples/export_sklearn.py of Pólya beside yours:

  from export_sklearn import export
  export(fitted_model_or_pipeline, "model.json")

Then: polya import model.json -o model.polya
`,
};
