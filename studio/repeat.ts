import { commandLine, quoted } from '../src/cli/shell.ts';
import type { Opened, Profile, Run, Settings } from './protocol.ts';

/** The file that a model of some data is written to. */
export const modelName = (data: string): string =>
  `${data.replace(/\.gz$/, '').replace(/\.[^.]*$/, '') || 'model'}.polya`;

/** The command that learns and judges the same: every setting that is not at its default. */
export function fitWords(
  data: Opened,
  profile: Profile | undefined,
  settings: Settings,
  features: readonly string[],
): string[] {
  const { target, model, alpha, ngrams, calibrate, classWeight, holdout, seed, kinds, splitColumn, without } = settings;
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
    ...given('alpha', alpha, ''),
    ...given('ngrams', ngrams, ''),
    ...given('calibrate', calibrate, 'auto'),
    ...(classWeight ? ['--class-weight', classWeight] : []),
    ...(splitColumn ? [] : given('holdout', String(holdout), '0.2')),
    ...given('seed', String(seed), '1'),
    ...(data.bad.length > 0 ? ['--max-bad-rows', String(data.bad.length)] : []),
    ...((profile?.target?.missing ?? 0) > 0 ? ['--skip-unlabeled'] : []),
  ];
}

/** A part of a list on the command line: its commas do not part it. */
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

/** What is on screen, as lines for a terminal, for a program, and for a server. */
export interface Repeated {
  readonly cli: string;
  readonly typescript: string;
  readonly curl: string;
}

/** What was tried, in a form that can be sent. */
export type Instance = Readonly<Record<string, string>>;

/** The lines that repeat a run, and its answer to what was typed; programs and requests without it ask for an example. */
export function repeat(
  data: Opened | undefined,
  profile: Profile | undefined,
  run: Run | undefined,
  settings: Settings,
  instance: Instance,
  example: Instance = {},
): Repeated {
  const file = modelName(data?.name ?? 'model');
  const chosen = run?.settings ?? settings;
  const words = data ? fitWords(data, profile, chosen, run?.features ?? chosen.features) : [];
  const sample = data?.source === 'sample' ? [commandLine(['demo', data.name.replace(/\.csv$/, ''), '--force'])] : [];
  const fit = data ? [...sample, `${commandLine([...words, '-o', file, '--force'])}`] : [];
  const texts = Object.entries(instance).filter(([, value]) => value !== '');
  const [first] = texts;
  const predict =
    first && texts.length === 1 && run?.texts.includes(first[0])
      ? [commandLine(['predict', '-m', file, '--text', first[1], '--explain', '5'])]
      : [];
  return {
    cli: [...fit, ...predict].join('\n'),
    typescript: typescriptFor(data, chosen, run, texts.length > 0 ? instance : example, file),
    curl: curlFor(file, texts.length > 0 ? instance : example),
  };
}

function typescriptFor(
  data: Opened | undefined,
  settings: Settings,
  run: Run | undefined,
  instance: Instance,
  file: string,
): string {
  const { target, model, alpha, ngrams, calibrate, classWeight, seed, kinds, splitColumn, without } = settings;
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
    seed,
  };
  return [
    "import { Classifier } from 'polya';",
    "import { readTable, writeModel } from 'polya/node';",
    '',
    `const { rows } = await readTable(${JSON.stringify(data?.name ?? 'data.csv')});`,
    `const model = Classifier.fit(rows, ${JSON.stringify(options, null, 2)});`,
    `await writeModel(${JSON.stringify(file)}, model, { force: true });`,
    `console.log(model.classify(${JSON.stringify(instance)}));`,
  ].join('\n');
}

function curlFor(file: string, instance: Instance): string {
  const id = file
    .replace(/\.polya$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-');
  const body = JSON.stringify({ instances: [instance], explain: 5 });
  return [
    commandLine(['serve', '-m', `${id}=${file}`]),
    `curl -s http://127.0.0.1:8787/v1/models/${id}/predict -H 'content-type: application/json' -d ${quoted(body)}`,
  ].join('\n');
}
