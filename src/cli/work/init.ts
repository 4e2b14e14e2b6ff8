import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { profileRows, type TableProfile } from '../../auto/profile.ts';
import type { Init } from '../commands/init.ts';
import { CONFIG } from '../config-file.ts';
import { openRows, readAll } from '../data.ts';
import { EXIT, fail } from '../problem.ts';
import { modelNames } from '../shared-options.ts';
import { commandLine, quoted } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';

/** What the config file will say. */
interface Plan {
  readonly target: string;
  readonly features: readonly string[] | undefined;
  readonly model: string;
}

/** Writes a config file from guesses, asked about on a terminal. */
export async function init(context: Init): Promise<number | undefined> {
  const { options, io, print, words } = context;
  const path = resolve(io.cwd, CONFIG);
  if (existsSync(path) && !options.force) {
    fail('E_CONFLICT', texts.init.exists(), { exit: EXIT.io, command: commandLine([...words, '--force']) });
  }
  const asks = !options.yes && !options.json;
  if (asks && !(io.stdin.tty && io.stderr.tty))
    fail('E_USAGE', texts.usage.noTerminal('init'), { command: commandLine([...words, '--yes']) });
  const data =
    context.args[0] ?? firstData(io.cwd) ?? fail('E_PATH', texts.init.noData(), { command: 'polya demo sms' });
  const all = await readAll(await openRows({ ...context, options: { ...options, maxRows: 10_000 } }, [data]));
  const profile = profileRows(all.records(), options.target === undefined ? {} : { target: options.target });
  const plan = asks ? await ask(profile) : guess(profile);
  if (plan === undefined) return EXIT.interrupted;
  const config = {
    $schema: './node_modules/polya/schemas/config.schema.json',
    target: plan.target,
    ...(plan.features && { features: plan.features }),
    fit: { model: plan.model },
  };
  await io.save(path, new TextEncoder().encode(`${JSON.stringify(config, null, 2)}\n`));
  if (print.json) await print.object({ schema: 'polya/init@1', file: CONFIG, data, config });
  else {
    print.talk(texts.init.wrote(CONFIG));
    print.talk(texts.fit.next(`polya fit ${quoted(data)}`));
  }
  return undefined;
}

/** The first file of a folder that looks like data. */
function firstData(folder: string): string | undefined {
  const names = readdirSync(folder).sort();
  return names.find((name) => /\.(csv|tsv|jsonl|ndjson|parquet)(\.gz)?$/i.test(name) && existsSync(join(folder, name)));
}

function guess({ target }: TableProfile): Plan {
  if (!target) return fail('E_LABEL_MISSING', texts.inspect.noTarget());
  return { target: target.name, features: undefined, model: 'auto' };
}

/** The questions; undefined when they were broken off. */
async function ask(profile: TableProfile): Promise<Plan | undefined> {
  const { intro, isCancel, multiselect, outro, select } = await import('@clack/prompts');
  const output = process.stderr;
  intro(texts.init.title(), { output });
  const names = profile.columns.map(({ name }) => name);
  const target = await select({
    message: texts.init.target(),
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
    message: texts.init.features(),
    options: others.map(({ name, kind }) => ({ value: name, label: safe(name), hint: kind })),
    initialValues: usual,
    output,
  });
  if (isCancel(features)) return undefined;
  const model = await select({
    message: texts.init.model(),
    options: modelNames.map((value) => ({ value: value as string, label: value })),
    initialValue: 'auto',
    output,
  });
  if (isCancel(model)) return undefined;
  outro(texts.init.done(), { output });
  const all = features.length === usual.length && usual.every((name) => features.includes(name));
  return { target, features: all ? undefined : features, model };
}
