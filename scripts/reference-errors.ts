import { EXIT, exitOf, Problem } from '../src/cli/problem.ts';
import { type ErrorCode, PolyaError, refusals } from '../src/errors.ts';
import { problemOf } from '../src/server/http/problem.ts';

/** What to do about an error, by code. */
const advice: Readonly<Record<ErrorCode, string>> = {
  E_PARAM: 'Correct the option that the message names. It says which values are accepted; see [options](options.md).',
  E_NOT_FITTED: 'Call `fit` or `partialFit` first, or `load` a model.',
  E_MERGE_MISMATCH:
    'Fit both models with the same options, and give the second one the schema of the first (`schema: first.schema`), so that columns and bins agree.',
  E_UNLEARN_UNDERFLOW: 'Unlearn only rows that were learned before, with the same label and weight.',
  E_COUNT_OVERFLOW: 'Scale the weights down: a count must stay below 2^53 to be exact. `decay` reduces old counts.',
  E_CONFLICT: 'The message says what conflicts: for example, a model without counts cannot learn.',
  E_CANCELLED: 'Nothing to do: your `signal` or Ctrl-C stopped the work. The model is as it was before.',
  E_EMPTY_INPUT: 'Pass at least one row. For a file, check that it has rows below its header.',
  E_SHAPE: 'Make the lengths agree: as many labels as rows, and as many cells in every row.',
  E_FEATURE_COUNT: 'Pass rows with the columns of the training data, in the same order, or use records with names.',
  E_FEATURE_MISSING:
    'Add the column, with `null` where the value is not known. The message names a similar column if there is one. `strict: false` predicts anyway.',
  E_FEATURE_UNKNOWN:
    "Remove the column or correct its name. `extra: 'ignore'` of an estimator, or `strict: false` of a `Classifier`, skips it.",
  E_FEATURE_DUPLICATE: 'Rename one of the two columns in the file or in `names`.',
  E_TYPE: 'Convert the value: numbers for columns of numbers, strings for texts. Nothing is converted silently.',
  E_NOT_FINITE:
    "Replace NaN and infinities. If NaN means missing, set `missing: 'ignore'`, or use `null` with a `Classifier`.",
  E_NEGATIVE: 'Counts cannot be negative. For measurements use `GaussianNB` or another model for numbers.',
  E_VALUE_RANGE: 'Scale the column: measurements up to ±1e150 are accepted.',
  E_SPARSE_INDEX: 'Give each column of a sparse row once, with an index below the number of columns.',
  E_CATEGORY_UNKNOWN: "Set `unknown: 'smooth'` or `'ignore'` if new categories are to be expected.",
  E_UNICODE: 'The string has half of a surrogate pair. Decode the bytes correctly, or call `toWellFormed()`.',
  E_ZERO_EVIDENCE: "Use smoothing (`alpha` above 0), or `zeroEvidence: 'prior'`.",
  E_LABEL_MISSING:
    "Give every row a label, leave the row out (`unlabeled: 'skip'`), or learn from it ([semi-supervised](guides/semi-supervised.md)).",
  E_LABEL_TYPE: 'Use one type for all labels: strings, whole numbers or booleans.',
  E_CLASS_UNKNOWN: 'Correct the label, or leave `classes` out so that new classes are added.',
  E_CLASSES_TOO_FEW: 'Pass rows of at least two classes. Check that the target column is the right one.',
  E_CLASS_TOO_SMALL: 'Add rows of that class, use fewer folds, or leave calibration out.',
  E_WEIGHT_SHAPE: 'Pass one weight for each row.',
  E_WEIGHT_INVALID: 'Weights are finite and not negative.',
  E_WEIGHTS_ALL_ZERO: 'Give at least one row a weight above 0.',
  E_FORMAT:
    'The message has the line, the column and the text around it. Correct the file, name the format with `format`, or skip bad rows with `maxBadRows`.',
  E_ENCODING: "Name the encoding of the file, such as `encoding: 'windows-1252'` ([encodings](data.md#encodings)).",
  E_ARCHIVE: 'Do not trust this archive: it has links, devices, names that lead outside, or damage.',
  E_PATH: 'Check that the file exists, that it is a file, and that you may read it.',
  E_IO: 'Check the device and its permissions; the message has the error of the operating system.',
  E_DISK_FULL: 'Free space and repeat the command. What was acknowledged is safe.',
  E_CHECKSUM: 'Copy or download the file again: its content has changed.',
  E_URL_BLOCKED: 'Only https and public addresses are fetched.',
  E_MODEL_MAGIC: 'Check the path: this is not a file that Pólya wrote. `polya info FILE` inspects it.',
  E_MODEL_VERSION: 'Install a newer Pólya, or write the model again with this one.',
  E_MODEL_CORRUPT: 'Use a backup, or train again. Damaged files are never partly loaded.',
  E_MODEL_LIMIT: 'The file claims more memory than is allowed. Do not load it unless you know where it comes from.',
  E_STORE_LOCKED: 'Stop the other server, or give this one another journal.',
  E_STORE_CORRUPT: 'Run `polya serve --repair`, which keeps every complete record ([reliability](reliability.md)).',
  E_STORE_READONLY: 'Check the disk of the journal. Learning resumes by itself, and predictions go on meanwhile.',
  E_ENGINE_UNAVAILABLE: 'Install the optional package that the message names, or check the address of the database.',
  E_ENGINE_QUERY: 'The message has the error of the database. Check table, columns and permissions.',
  E_ENGINE_CAPABILITY:
    'This would be counted differently inside the engine. Use another model or option, or count in memory.',
  E_IDENTIFIER: 'Rename the table or column: this engine cannot quote the name.',
  E_BAD_REQUEST: 'Correct the request; `errors[].pointer` says where ([requests](server.md#requests)).',
  E_AUTH: 'Send the header `authorization: Bearer TOKEN` with the token of the server.',
  E_ORIGIN: 'Start the server with `--allow-origin ORIGIN` if this site may call it.',
  E_HOST: 'Call the server by the address that it printed, or start it with `--allow-host NAME`.',
  E_NOT_FOUND: 'Check the name of the model and the path; `GET /v1/models` lists the models.',
  E_MEDIA_TYPE: 'Send JSON with the header `content-type: application/json`.',
  E_TOO_LARGE: 'Send fewer or smaller rows for each request, or stream them as `application/x-ndjson`.',
  E_RATE: 'Wait for the seconds in the header `retry-after`, then continue more slowly.',
  E_OVERLOADED: 'Repeat the request after the seconds in the header `retry-after`.',
  E_IDEMPOTENCY_CONFLICT: 'Use a new `Idempotency-Key` for a new body.',
  E_LIMIT: 'The message names the limit and the option that raises it.',
  E_TIMEOUT: 'Send fewer rows at once, or raise the time limit.',
  E_USAGE: 'See `polya help COMMAND`; the message has the corrected command where it can be guessed.',
  E_INTERNAL: 'This is a bug in Pólya. Please report it with the output of `--debug`.',
};

const intro = `# Error codes

Every error is a \`PolyaError\` with a \`code\`, a sentence and \`details\`. The code is stable: it changes only with a major version. The command ends with the
exit code, and the server answers with the status, that each section names. This page is written from the source by \`npm run reference\`.

\`\`\`ts
import { MultinomialNB, PolyaError } from 'polya';

try {
  new MultinomialNB().fit([[1, 2], [3, -4]], ['a', 'b']);
} catch (error) {
  if (!(error instanceof PolyaError)) throw error;
  console.log(error.code);
  console.log(error.message);
}
\`\`\`

\`\`\`text
E_NEGATIVE
row 1, column 1: -4 is negative, counts are not
\`\`\`
`;

/** The page with a section for every code. */
export function errorsPage(): string {
  const sections = (Object.keys(refusals) as ErrorCode[]).map((code) => {
    const { status } = problemOf(new PolyaError(code, ''), '');
    const meaning = refusals[code].charAt(0).toUpperCase() + refusals[code].slice(1);
    const exit = exitOf(new Problem(code, ''));
    const [name] = Object.entries(EXIT).find(([, number]) => number === exit)!;
    return `## ${code}\n\n${meaning}. ${advice[code]}\n\nExit code ${exit} (${name}) · HTTP status ${status}`;
  });
  return `${[intro.trim(), ...sections].join('\n\n')}\n`;
}
