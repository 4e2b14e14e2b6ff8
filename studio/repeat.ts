import { commandLine, quoted } from '../src/workbench.ts';
import type { Opened, Profile, Run, Settings, ThresholdRule } from './protocol.ts';
import type { Route } from './route.ts';
import type { Screen } from './screen-names.ts';
import { smoothingOf } from './smoothing-setting.ts';

/** The name of the model file for the open data. */
export const modelName = (data: string): string =>
  `${data.replace(/\.gz$/, '').replace(/\.[^.]*$/, '') || 'model'}.polya`;

/** The command that trains and evaluates in the same way: every setting that is not at its default. */
export function fitWords(
  data: Opened,
  profile: Profile | undefined,
  settings: Settings,
  features: readonly string[],
): string[] {
  const { target, model, ngrams, calibrate, classWeight, holdout, seed, kinds, splitColumn, without, budget } =
    settings;
  const given = (name: string, value: string, usual: string) => (value === usual ? [] : [`--${name}`, value]);
  return [
    'fit',
    data.name,
    '--target',
    target,
    ...given('model', model, 'auto'),
    ...features.flatMap((name) => ['--features', oneOf(name)]),
    ...Object.entries(kinds).flatMap(([name, kind]) => ['--kinds', oneOf(`${name}=${kind}`)]),
    ...(splitColumn ? ['--split-column', splitColumn] : []),
    ...(without.length > 0 ? ['--stop-words', `${without.join(',')},`] : []),
    ...given('alpha', smoothingOf(settings), ''),
    ...given('ngrams', ngrams, ''),
    ...given('calibrate', calibrate, 'auto'),
    ...(classWeight ? ['--class-weight', classWeight] : []),
    ...(splitColumn ? [] : given('holdout', String(holdout), '0.2')),
    ...(model === 'auto' && budget ? ['--budget', `${budget}s`] : []),
    ...given('seed', String(seed), '1'),
    ...readWords(data),
    ...unlabelled(profile),
  ];
}

/** How the page has read the file: its encoding, and how many malformed rows were skipped. */
const readWords = ({ bad, encoding }: Opened): string[] => [
  ...(isUtf8(encoding) ? [] : ['--encoding', encoding]),
  ...(bad.length > 0 ? ['--max-bad-rows', String(bad.length)] : []),
];

/** Whether an encoding needs no option: UTF-8, or none. */
const isUtf8 = (encoding: string): boolean => encoding === '' || encoding === 'utf-8';

const unlabelled = (profile: Profile | undefined): string[] =>
  (profile?.target?.missing ?? 0) > 0 ? ['--skip-unlabeled'] : [];

/** An item of a list on the command line, with its commas escaped. */
const oneOf = (name: string): string => name.replaceAll(',', '\\,');

/** `fitWords` as one line. */
export function fitLine(
  data: Opened,
  profile: Profile | undefined,
  settings: Settings,
  features: readonly string[],
): string {
  return commandLine(fitWords(data, profile, settings, features));
}

/** The file of the held-out rows. */
export const HELD_OUT = 'held-out.csv';

/** `polya evaluate` with the threshold of the page and a minimum recall: the current one, rounded down to two digits. */
export function gateLine(model: string, label: string, rule: ThresholdRule | undefined, recall: number): string {
  const threshold = rule ? ['--threshold', `${rule.label}=${rule.threshold}`] : [];
  const least = `${label}.recall=${Math.floor(recall * 100) / 100}`;
  return commandLine(['evaluate', HELD_OUT, '-m', model, ...threshold, '--fail-under', least]);
}

/** The lines that repeat what is on screen: for a terminal, a program and a server. */
export interface Repeated {
  readonly cli: string;
  readonly typescript: string;
  readonly curl: string;
}

/** The row that was tried, ready to be sent. */
export type Instance = Readonly<Record<string, string>>;

/** The screen and its state. */
export interface Screenful {
  readonly screen: Screen;
  readonly view: Route['view'];
  readonly runs: readonly Run[];
}

/** The lines that repeat a run and the view of it. If no row was tried, programs and requests use an example row. */
export function repeat(
  data: Opened | undefined,
  profile: Profile | undefined,
  run: Run | undefined,
  settings: Settings,
  instance: Instance,
  example: Instance = {},
  shown: Screenful = { screen: 'train', view: {}, runs: [] },
): Repeated {
  const file = modelName(data?.name ?? 'model');
  const chosen = run?.settings ?? settings;
  const filled = Object.values(instance).some((value) => value !== '') ? instance : example;
  const cells = cellsOf(filled, profile, chosen);
  return {
    cli: data
      ? [...sampleLines(data), ...commandsOf({ data, profile, run, chosen, file, cells, ...shown })].join('\n')
      : '',
    typescript: typescriptFor(data, profile, chosen, run, cells, file),
    curl: curlFor(file, cells),
  };
}

/** The cells of a request: numbers as numbers, blanks as null. */
type Cells = Readonly<Record<string, string | number | null>>;

function cellsOf(instance: Instance, profile: Profile | undefined, { kinds }: Settings): Cells {
  const isNumber = (name: string) =>
    (kinds[name] ?? profile?.columns.find((column) => column.name === name)?.kind) === 'number';
  return Object.fromEntries(
    Object.entries(instance).map(([name, value]) => {
      if (value.trim() === '') return [name, null];
      return [name, isNumber(name) && Number.isFinite(Number(value)) ? Number(value) : value];
    }),
  );
}

/** Samples become files by `polya demo`. */
const sampleLines = ({ source, name }: Opened): string[] =>
  source === 'sample' ? [commandLine(['demo', name.replace(/\.csv$/, ''), '--force'])] : [];

interface Commanded extends Screenful {
  readonly data: Opened;
  readonly profile: Profile | undefined;
  readonly run: Run | undefined;
  readonly chosen: Settings;
  readonly file: string;
  readonly cells: Cells;
}

/** The commands for a screen: fit the model, then query it. */
function commandsOf(on: Commanded): string[] {
  const { screen, data, chosen, file } = on;
  const target = chosen.target === '' ? [] : ['--target', chosen.target];
  if (screen === 'start' || screen === 'data')
    return [commandLine(['inspect', data.name, ...target, ...readWords(data)])];
  const fit = commandLine([...wordsFor(on, chosen, on.run), '-o', file, '--force']);
  if (screen === 'compare') return compareCommands(on) ?? [fit];
  if (screen === 'boundary') return boundaryCommands(on);
  return [fit, ...askCommands(on)];
}

const wordsFor = ({ data, profile }: Commanded, settings: Settings, run: Run | undefined): string[] =>
  fitWords(data, profile, settings, run?.features ?? settings.features);

/** The command that shows the content of a screen. */
function askCommands({ screen, view, run, data, profile, chosen, file, cells }: Commanded): string[] {
  if (screen === 'evaluate' && view.threshold !== undefined && run?.evaluated) {
    const label = view.class ?? run.evaluated.operating[0]?.label;
    return [commandLine(['evaluate', HELD_OUT, '-m', file, '--threshold', `${label}=${view.threshold}`])];
  }
  if (screen === 'understand') {
    const only = view.class === undefined ? [] : ['--class', view.class];
    const isWords = (view.tab ?? 'words') === 'words' && (run?.texts.length ?? 0) > 0;
    if (!isWords) return [commandLine(['explain', '-m', file, ...only])];
    const column = view.column ?? run!.texts[0];
    const words = ['features', data.name, '--target', chosen.target, '--text', column, ...only];
    return [commandLine([...words, ...readWords(data), ...unlabelled(profile)])];
  }
  if (screen === 'try') return tryCommands(run, file, cells);
  if (screen === 'export') {
    const form = view.form ?? 'json';
    return [commandLine(['export', '-m', file, '--to', form, '-o', file.replace(/\.polya$/, `.${form}`), '--force'])];
  }
  return [];
}

/** A text is passed as it is, a row as one line of JSON. */
function tryCommands(run: Run | undefined, file: string, cells: Cells): string[] {
  const filled = Object.entries(cells).filter(([, value]) => value !== null);
  if (filled.length === 0) return [];
  const [[name, value]] = filled;
  if (Object.keys(cells).length === 1 && run?.texts.includes(name))
    return [commandLine(['predict', '-m', file, '--text', String(value), '--explain', '5'])];
  const row = `printf '%s\\n' ${quoted(JSON.stringify(cells))}`;
  return [`${row} | ${commandLine(['predict', '-', '-m', file, '--format', 'jsonl', '--explain', '5'])}`];
}

/** Fits two runs and compares them on the held-out rows; undefined unless two runs are picked. */
function compareCommands(on: Commanded): string[] | undefined {
  const ids = (on.view.pair ?? '').split(',').map(Number);
  const picked = ids.flatMap((id) => on.runs.filter((run) => run.id === id));
  if (picked.length !== 2) return undefined;
  const files = picked.map(({ id }) => on.file.replace(/\.polya$/, `-${id}.polya`));
  const fits = picked.map((run, k) => commandLine([...wordsFor(on, run.settings, run), '-o', files[k], '--force']));
  return [...fits, commandLine(['compare', HELD_OUT, ...files.flatMap((file) => ['-m', file])])];
}

/** The model that the sliders of Boundary describe: QDA, LDA, naive Bayes, or RDA between them. The command has no diagonal RDA. */
function boundaryCommands(on: Commanded): string[] {
  const { x, y, diagonal, lambda = '0', gamma = '0' } = on.view;
  const numbers = (on.profile?.columns ?? []).filter(({ kind, role }) => kind === 'number' && role === 'feature');
  const best = [...numbers].sort((a, b) => (b.information ?? 0) - (a.information ?? 0)).map(({ name }) => name);
  const first = x ?? best[0];
  const second = y ?? best.find((name) => name !== first);
  if (first === undefined || second === undefined) return [];
  const pure = Number(gamma) === 0 && ['0', '1'].includes(lambda);
  const model = diagonal === '1' ? 'gaussian' : !pure ? 'rda' : lambda === '0' ? 'qda' : 'lda';
  const shape = model === 'rda' ? ['--smoothing', `lambda=${lambda},gamma=${gamma}`] : [];
  const settings = { ...on.chosen, model, ngrams: '', without: [], kinds: {} };
  const words = fitWords(on.data, on.profile, settings, [first, second]);
  return [commandLine([...words, ...shape, '-o', 'boundary.polya', '--force'])];
}

function typescriptFor(
  data: Opened | undefined,
  profile: Profile | undefined,
  settings: Settings,
  run: Run | undefined,
  cells: Cells,
  file: string,
): string {
  const { target, model, ngrams, calibrate, classWeight, seed, kinds, splitColumn, without } = settings;
  const alpha = smoothingOf(settings);
  const features = run?.features ?? settings.features;
  const options = {
    target,
    model,
    ...(features.length > 0 && { features }),
    ...(Object.keys(kinds).length > 0 && { kinds }),
    ...(alpha !== '' && { alpha: alpha === 'auto' ? alpha : Number(alpha) }),
    ...(ngrams !== '' && { ngrams: [Number(ngrams[0]), Number(ngrams.at(-1))] }),
    ...(splitColumn && { splitColumn }),
    ...(without.length > 0 && { stopWords: without }),
    ...(classWeight && { classWeight }),
    ...(calibrate !== 'auto' && { calibrate: calibrate === 'none' ? false : calibrate }),
    ...((profile?.target?.missing ?? 0) > 0 && { unlabeled: 'skip' }),
    seed,
  };
  const { bad = [], encoding = '', renamed = [] } = data ?? {};
  const reading = {
    ...(!isUtf8(encoding) && { encoding }),
    ...(renamed.length > 0 && { duplicates: 'number' }),
    ...(bad.length > 0 && { maxBadRows: bad.length }),
  };
  const given = [data?.name ?? 'data.csv', ...(Object.keys(reading).length > 0 ? [reading] : [])];
  return [
    "import { Classifier } from 'polya';",
    "import { readTable, writeModel } from 'polya/node';",
    '',
    `const { rows } = await readTable(${given.map((own) => JSON.stringify(own)).join(', ')});`,
    `const model = Classifier.fit(rows, ${JSON.stringify(options, null, 2)});`,
    `await writeModel(${JSON.stringify(file)}, model, { force: true });`,
    `console.log(model.classify(${JSON.stringify(cells)}));`,
  ].join('\n');
}

function curlFor(file: string, cells: Cells): string {
  const id = file
    .replace(/\.polya$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-');
  const body = JSON.stringify({ instances: [cells], explain: 5 });
  return [
    commandLine(['serve', '-m', `${id}=${file}`]),
    `curl -s http://127.0.0.1:8787/v1/models/${id}/predict -H 'content-type: application/json' -d ${quoted(body)}`,
  ].join('\n');
}
