import { type Context, command } from '../declare.ts';
import { commandHelp, programHelp } from '../help.ts';
import { loadCommand, verbNamed, verbs } from '../registry.ts';
import { quote, refuseUnknown } from '../usage.ts';

/** `polya help` */
export const declaration = command({
  arguments: [{ name: 'topic', doc: 'a command or a topic', complete: 'topic' }],
  options: {},
  examples: {
    'polya help models': 'describes the models',
    'polya help fit': 'the same as polya fit --help',
  },
  run,
});

async function run({ args, print, words }: Context): Promise<void> {
  const [topic] = args;
  const { screen } = print;
  const verb = topic === undefined ? undefined : verbNamed(topic);
  if (topic === undefined) await print.raw(programHelp(screen));
  else if (verb) await print.raw(commandHelp(await loadCommand(verb), 'full', screen));
  else if (Object.hasOwn(topics, topic)) await print.raw(topics[topic].slice(1));
  else
    refuseUnknown(
      words,
      `There is no help on ${quote(topic)}.`,
      topic,
      [...Object.keys(topics), ...verbs.map(({ name }) => name)],
      { notes: [`Topics: ${Object.keys(topics).join(', ')}; or the name of a command.`] },
    );
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
  xlsx       an Excel workbook: the first sheet, or --sheet NAME; .xls and workbooks with a password are refused
  folder     one sub-folder per class with text files in it: columns label, text, file
  mbox       mail: from, to, subject, date, labels, text
  fasttext   lines such as "__label__spam win a prize"
  text       one text per line: column text

Data is a file, a pattern such as 'data/*.csv', a folder of tables, a URL (https://…; s3://… with DuckDB installed)
or - for stdin. Duplicate column names are numbered, with a warning.
Text is UTF-8, or UTF-16 with a byte order mark; --encoding reads others, such as latin1 and gb18030.
Numbers may have currency signs, a percent sign and separators between thousands; the decimal mark is detected column by
column unless you set --decimal point|comma. Dates become days, weekday, month and hour; --date-order decides 5/4/2023.
Codes with leading zeros (08713) are categories. NA, N/A, null, NaN, ? and - are missing. Ignored columns are listed.
A malformed row is an error with its line; --max-bad-rows N skips up to N of them and writes them to FILE.rejects.
--where COLUMN=VALUE selects rows, --max-rows N reads the first N.

scikit-learn parameters for polya import: polya help sklearn
`,
  models: `
  auto                   compares models that suit the columns; a calibrated ensemble of the best
  multinomial            text: how often each word occurs
  complement             text: word counts of all other classes; good for imbalanced classes
  bernoulli              text: which words occur and which do not
  dirichlet-multinomial  text: the Pólya urn, for words that occur in bursts (also: urn)
  poisson                counts
  gaussian               numbers: a normal distribution for each class and column
  kernel                 numbers: kernel density estimates, for any shape (also: kde)
  categorical            categories; numbers are binned
  mixed                  each column with a distribution for its type, text included
  tan aode waode kdb     categories that depend on one another; with kdb on up to five others
  lda qda rda            correlated numbers: one covariance for all classes, one per class, or in between

All of them can be updated later: polya update, unlearn, merge.
`,
  smoothing: `
  --alpha A          pseudo-count of every word or category: 0 is no smoothing, 1 is Laplace's rule;
                     auto chooses it by exact leave-one-out
  --smoothing N=V    other parameters by name: varSmoothing, bandwidth, shrinkage, lambda, gamma, shape, rate …
  --priors P         empirical (frequencies of the data), uniform, or LABEL=P,LABEL=P

polya tune compares several values by cross-validation.
`,
  config: `
polya.config.json is searched for in this folder and its parents. Flags override the environment, which overrides the file,
which overrides the defaults; --print-config prints every value with its origin.

  {
    "$schema": "./node_modules/polya/schemas/config.schema.json",
    "target": "label",
    "model": "multinomial",
    "predict": { "output": "jsonl", "reject": 0.6 }
  }

Settings are named like the options, in camelCase or with dashes. At the top level they apply to every command that has them;
under the name of a command, to that command. In the environment: POLYA_TARGET, POLYA_MAX_BAD_ROWS …
`,
  'exit-codes': `
  0    done
  1    a bug in Pólya
  2    wrong usage: command, option or value
  3    invalid input: format, encoding, columns, labels, values
  4    invalid model: not a model file, damaged, too new, or unable to do this
  5    files: not found, no permission, disk full, would overwrite
  6    an engine is unavailable or failed
  7    a limit or time-out was exceeded
  8    a score is under --fail-under or over --fail-over
  130  interrupted (Ctrl-C)      143  terminated

Errors go to stderr, with --json as one JSON object with "code", "message", "details" and "suggestion".
`,
  sklearn: `
In Python, with a copy of examples/export_sklearn.py from Pólya:

  from export_sklearn import export
  export(fitted_model_or_pipeline, "model.json")

Then: polya import model.json -o model.polya
`,
};
