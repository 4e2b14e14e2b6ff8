import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { profileRows, type TableProfile } from '../../auto/profile.ts';
import { modelNames } from '../../core/model-options.ts';
import { openRows, readAll } from '../data.ts';
import { type Context, command, flag } from '../declare.ts';
import { EXIT, fail } from '../problem.ts';
import { CONFIG } from '../settings.ts';
import { reading, roles } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { outputFor, writeFile } from '../work/model-output.ts';

const options = {
  target: roles.target,
  force: flag('overwrite polya.config.json', { short: 'f' }),
  ...reading,
} as const;

type Init = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** A config file was written. */
  'init@1': { file: string; data: string; config: object };
}

/** `polya init` */
export const declaration = command({
  arguments: [{ name: 'data', doc: 'the data; the first data file in this folder if not given', complete: 'file' }],
  options,
  examples: { 'polya init iris.csv --yes --force': 'writes the detected values without asking' },
  run,
});

/** The settings to write. */
interface Plan {
  readonly target: string;
  readonly features: readonly string[] | undefined;
  readonly model: string;
}

/** Writes a config file from detected values, confirmed by questions on a terminal. */
async function run(context: Init): Promise<number | undefined> {
  const { options, io, print, words } = context;
  const path = resolve(io.cwd, CONFIG);
  const instead = (flag: string) => commandLine([...words, flag]);
  if (existsSync(path) && !options.force)
    fail('E_CONFLICT', `${CONFIG} already exists.`, { exit: EXIT.io, command: instead('--force') });
  const asks = !options.yes && !options.json;
  if (asks && !(io.stdin.tty && io.stderr.tty))
    fail('E_USAGE', 'init asks questions and needs a terminal.', { command: instead('--yes') });
  const data =
    context.args[0] ??
    firstData(io.cwd) ??
    fail('E_PATH', 'There is no data file in this folder; name one, or write a sample dataset.', {
      command: 'polya demo sms',
    });
  const source = await openRows({ ...context, options: { ...options, maxRows: 10_000 } }, [data]);
  const all = await readAll(source.tables());
  const profile = profileRows(all.records(), options.target === undefined ? {} : { target: options.target });
  const plan = asks ? await ask(profile) : guess(profile);
  if (plan === undefined) return EXIT.interrupted;
  const output = outputFor(undefined, data);
  const config = {
    $schema: './node_modules/polya/schemas/config.schema.json',
    target: plan.target,
    ...(plan.features && { features: plan.features }),
    fit: { model: plan.model, data: [data], output },
    predict: { model: output },
    explain: { model: output },
  };
  await writeFile(context, CONFIG, `${JSON.stringify(config, null, 2)}\n`);
  if (print.json) await print.object<Prints>('init@1', { file: CONFIG, data, config });
  else print.note(`→ polya fit   (reads ${safe(data)}, writes ${safe(output)})`);
  return undefined;
}

/** The first file of a folder that looks like data. */
function firstData(folder: string): string | undefined {
  const names = readdirSync(folder).sort();
  return names.find((name) => /\.(csv|tsv|jsonl|ndjson|parquet)(\.gz)?$/i.test(name) && existsSync(join(folder, name)));
}

function guess({ target }: TableProfile): Plan {
  if (!target) return fail('E_LABEL_MISSING', 'No column looks like a label; name it with --target.');
  return { target: target.name, features: undefined, model: 'auto' };
}

/** Asks the questions; undefined if the user cancels. */
async function ask(profile: TableProfile): Promise<Plan | undefined> {
  const { intro, isCancel, multiselect, outro, select } = await import('@clack/prompts');
  const output = process.stderr;
  intro('polya.config.json', { output });
  const names = profile.columns.map(({ name }) => name);
  const target = await select({
    message: 'Which column is the label?',
    options: names.map((value) => ({ value, label: safe(value) })),
    ...(profile.target && { initialValue: profile.target.name }),
    output,
  });
  if (isCancel(target)) return undefined;
  const others = profile.columns.filter(({ name }) => name !== target);
  const usual = others
    .filter(({ role, kind }) => role === 'feature' || (role === 'target' && kind !== 'identifier'))
    .map(({ name }) => name);
  const features = await multiselect({
    message: 'Which columns are features?',
    options: others.map(({ name, kind }) => ({ value: name, label: safe(name), hint: kind })),
    initialValues: usual,
    output,
  });
  if (isCancel(features)) return undefined;
  const model = await select({
    message: 'Which model?',
    options: modelNames.map((value) => ({ value: value as string, label: value })),
    initialValue: 'auto',
    output,
  });
  if (isCancel(model)) return undefined;
  outro('Done.', { output });
  const all = features.length === usual.length && usual.every((name) => features.includes(name));
  return { target, features: all ? undefined : features, model };
}
