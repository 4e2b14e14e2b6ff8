import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atMost, atMostOnce } from '../quiet.ts';
import { asCsv, messages, writeMessages } from './fixtures.ts';
import { folder } from './harness.ts';
import { replay, steady } from './sessions.ts';

const root = new URL('../../', import.meta.url).pathname;
const { path, remove } = folder();
afterAll(remove);
const installed = join(path, 'package'); // the command as it would be installed: nothing of node_modules is near
const cli = join(installed, 'dist', 'cli', 'cli.js');
const work = join(path, 'work');
let imported: string[] = [];
let asked: string[] = []; // only when they are needed

beforeAll(async () => {
  mkdirSync(installed);
  mkdirSync(work);
  for (const name of ['package.json', 'data']) cpSync(join(root, name), join(installed, name), { recursive: true });
  const built = await build({
    root,
    configFile: join(root, 'vite.cli.config.ts'),
    logLevel: 'error',
    build: { outDir: join(installed, 'dist', 'cli') },
  });
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput;
  const chunks = output.filter((part) => part.type === 'chunk');
  const own = new Set(output.map(({ fileName }) => fileName));
  imported = chunks.flatMap((part) => part.imports).filter((name) => !own.has(name));
  asked = chunks.flatMap((part) => part.dynamicImports).filter((name) => !own.has(name));
  writeMessages(work);
  writeFileSync(join(work, 'large.csv'), asCsv(messages(60_000)));
  expect(polya('fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '-o', 'words.polya', '-q').status).toBe(0);
});

const plain = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm' };

function polya(...words: string[]) {
  return spawnSync(process.execPath, [cli, ...words], {
    cwd: work,
    encoding: 'utf8',
    env: plain as never,
    maxBuffer: 1 << 28,
  });
}

/** Whether util-linux `script` can give a terminal. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
const onTerminal = test.skipIf(!hasScript);
if (!hasScript) console.info('skipped: there is no util-linux script to open a terminal with');

/** Runs a line of a shell on a terminal; what it shows comes back. */
function terminal(line: string, env: Record<string, string> = {}): string {
  const named = { ...plain, ...env, polya: `${process.execPath} ${cli}` };
  return execFileSync('script', ['-qefc', line, '/dev/null'], {
    cwd: work,
    encoding: 'utf8',
    env: named as never,
  });
}

test('the installed command needs nothing beside Node, and brings the notices of what it contains', () => {
  expect(polya('--version').stdout).toBe(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`);
  const notices = readFileSync(join(installed, 'dist', 'cli', 'THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['picocolors', '@bomb.sh/tab', '@clack/prompts']) expect(notices).toContain(name);
  const { peerDependenciesMeta: optional } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const foreign = (names: string[]) =>
    names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  expect(foreign(imported)).toEqual([]);
  expect(foreign(asked).filter((name) => !(name in optional))).toEqual([]);
});

test('it starts about as fast as Node itself', () => {
  const time = (words: string[]) => {
    const begun = performance.now();
    spawnSync(process.execPath, words, { cwd: work });
    return performance.now() - begun;
  };
  const pairs = Array.from({ length: 7 }, () => [time(['-e', '0']), time([cli, '--version'])]);
  const least = (k: number) => Math.min(...pairs.map((pair) => pair[k]));
  console.info(`node ${least(0).toFixed(0)} ms, polya --version ${least(1).toFixed(0)} ms`);
  expect(least(1) - least(0)).toBeLessThan(atMost(80));
});

test('results go to stdout alone: what is on it parses, whatever is said beside it', () => {
  const { stdout, stderr, status } = polya(
    'evaluate',
    'more.csv',
    '-m',
    'words.polya',
    '--json',
    '--progress',
    'plain',
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout).rows).toBe(60);
  expect(polya('fit', 'sms.csv', '-t', 'label', '-o', 'talk.polya', '--model', 'bernoulli').stderr).toContain(
    'wrote talk.polya',
  );
  expect(stderr).not.toContain('{"schema":"polya/evaluate');
});

test('a reader that has had enough is no error', () => {
  const line = `"${process.execPath}" "${cli}" predict large.csv -m words.polya | head -n 2; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: work, encoding: 'utf8', env: plain as never });
  expect(stdout.split('\n')[2]).toBe('0');
  expect(stderr).not.toMatch(/EPIPE|Error/);
});

test('a reader that has had enough does not keep a model from being written', () => {
  const words = 'fit sms.csv -t label --model multinomial -o short.polya';
  const line = `"${process.execPath}" "${cli}" ${words} | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: work, encoding: 'utf8', env: plain as never });
  expect(stdout.split('\n')[1]).toBe('0');
  expect(stderr).toContain('wrote short.polya');
  expect(polya('info', 'short.polya').status).toBe(0);
});

test('heavy work in a thread gives the same answers and exit codes', () => {
  expect(polya('fit', 'sms.csv', '-t', 'lable').status).toBe(3);
  expect(polya('evaluate', 'more.csv', '-m', 'words.polya', '--fail-under', 'accuracy=1.1').status).toBe(8);
  const piped = spawnSync(
    process.execPath,
    [cli, 'fit', '-', '-t', 'label', '--model', 'multinomial', '-o', 'piped.polya', '-q'],
    {
      cwd: work,
      input: readFileSync(join(work, 'sms.csv')),
      env: plain as never,
    },
  );
  expect(piped.status).toBe(0);
  const answers = (model: string) => polya('predict', 'more.csv', '-m', model, '-q').stdout;
  expect(answers('piped.polya')).toBe(answers('words.polya'));
  expect(polya('fit', 'sms.csv', '-t', 'label', '--model', 'bernoulli', '-o', 'none/x.polya').status).toBe(5);
});

/** Runs a command that is sent a signal in a phase of its work; the code it ends with, how long after, and what it printed. */
function signalledIn(
  phase: string,
  words: readonly string[],
  signal: NodeJS.Signals,
  times = 1,
): Promise<{ code: number | null; after: number; said: string; out: string }> {
  const child = spawn(process.execPath, [cli, ...words, '--progress', 'json'], { cwd: work, env: plain as never });
  let [sent, said, out] = [Number.NaN, '', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    said += text;
    const begun = said.includes(`"${phase}"`) && Number.isNaN(sent);
    const again = times === 2 && said.includes('Press Ctrl-C again');
    if (!begun && !again) return;
    if (times === 1 || again) sent = performance.now();
    else sent = Infinity;
    child.kill(signal);
  });
  return new Promise((resolve) => {
    // a process that a signal ends has the exit code of that signal in a shell
    child.on('exit', (code, by) =>
      resolve({ code: by ? 128 + constants.signals[by] : code, after: performance.now() - sent, said, out }),
    );
  });
}

/** Learns from many rows into a file that is there. */
const signalled = (file: string, signal: NodeJS.Signals, times: number) =>
  signalledIn('learning', ['fit', 'large.csv', '-t', 'label', '-o', file, '--force'], signal, times);

test('the first Ctrl-C ends a choice of models with the best so far', async () => {
  const file = join(work, 'early.polya');
  writeFileSync(file, readFileSync(join(work, 'words.polya')));
  const { code, said } = await signalled(file, 'SIGINT', 1);
  expect([code, said]).toEqual([0, expect.stringContaining('Finishing with the best models so far')]);
  expect(polya('info', file).status).toBe(0);
});

test('the first Ctrl-C ends a search with the best settings so far, and a comparison with the models so far', async () => {
  const data = ['large.csv', '-t', 'label', '-x', 'text'];
  const tuned = await signalledIn('trying', ['tune', ...data], 'SIGINT');
  expect([tuned.code, tuned.said]).toEqual([0, expect.stringContaining('stopped early')]);
  expect(tuned.out).toMatch(/^ngrams +model +alpha +log-loss/);
  const models = ['-m', 'multinomial', '-m', 'complement', '-m', 'bernoulli'];
  const compared = await signalledIn('comparing', ['compare', ...data, ...models], 'SIGINT');
  expect([compared.code, compared.said]).toEqual([0, expect.stringContaining('stopped early; not evaluated:')]);
  expect(compared.out).toContain('multinomial');
});

test.each([
  ['SIGINT', 2, 130],
  ['SIGTERM', 1, 143],
] as const)(
  '%s, %d times, ends long work with %d; the old file stays, nothing is left behind',
  async (signal, times, exit) => {
    const [old, file] = [readFileSync(join(work, 'words.polya')), join(work, `${signal}.polya`)];
    let [code, after]: [number | null, number] = [0, 0];
    for (let tries = 0; tries < 5 && code === 0; tries++) {
      writeFileSync(file, old);
      ({ code, after } = await signalled(file, signal, times)); // 0: all was done before the signal came
    }
    expect(code).toBe(exit);
    console.info(`${signal}: ended ${after.toFixed(0)} ms after`);
    expect(after).toBeLessThan(atMostOnce(200));
    expect(readFileSync(file).equals(old)).toBe(true);
    expect(readdirSync(work).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
);

const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0; // it may be there and not be allowed to look
if (!hasStrace) console.info('skipped: no strace can kill a process at a system call here, or watch its sockets');

test.skipIf(!hasStrace)(
  'a process killed at any step of writing leaves the old file or the new one; the next run clears up',
  () => {
    const merge = ['merge', 'words.polya', 'part.polya', '-o', 'sum.polya', '--force', '-q'];
    expect(polya('fit', 'more.csv', '-t', 'label', '--model', 'multinomial', '-o', 'part.polya', '-q').status).toBe(0);
    expect(polya(...merge).status).toBe(0);
    const whole = readFileSync(join(work, 'sum.polya'));
    const old = readFileSync(join(work, 'part.polya'));
    const left = () => readdirSync(work).filter((name) => name.endsWith('.part'));
    const seen: number[] = [];
    for (const inject of ['fsync:signal=KILL:when=1', 'rename:signal=KILL:when=1', 'fsync:signal=KILL:when=2']) {
      copyFileSync(join(work, 'part.polya'), join(work, 'sum.polya'));
      const strace = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${inject}`, process.execPath, cli, ...merge];
      spawnSync('strace', strace, { cwd: work, env: plain as never });
      const now = readFileSync(join(work, 'sum.polya'));
      expect(now.equals(old) || now.equals(whole), inject).toBe(true);
      seen.push(left().length);
    }
    expect(seen[0]).toBe(1); // it was killed before the rename
    expect(polya(...merge).status).toBe(0);
    expect(left()).toEqual([]);
    expect(readFileSync(join(work, 'sum.polya')).equals(whole)).toBe(true);
  },
);

onTerminal('a bar is drawn on a terminal for long work, on stderr, and the cursor is never hidden', () => {
  writeFileSync(join(work, 'huge.csv'), asCsv(messages(2_000_000))); // takes longer than half a second anywhere
  const shown = terminal(
    '$polya fit huge.csv -t label -x text --model multinomial --holdout 0 -o large.polya >/dev/null',
  );
  rmSync(join(work, 'huge.csv'));
  expect(shown).toMatch(/█/);
  expect(shown).toContain('\r\u001b[2K');
  expect(shown).not.toContain('\u001b[?25l');
  rmSync(join(work, 'large.polya'));
  expect(terminal('$polya info words.polya')).not.toMatch(/░/);
});

onTerminal('colours are on a terminal alone, and go where the environment or the option says', () => {
  const red = (text: string) => text.includes('\u001b[31m');
  expect(red(terminal('$polya fti || true'))).toBe(true);
  expect(red(terminal('$polya fti || true', { NO_COLOR: '1' }))).toBe(false);
  expect(red(terminal('$polya fti || true', { TERM: 'dumb' }))).toBe(false);
  expect(red(terminal('$polya predict -m x.polya --color never || true'))).toBe(false);
  expect(red(polya('fti').stderr)).toBe(false);
  const forced = spawnSync(process.execPath, [cli, 'fti'], {
    cwd: work,
    encoding: 'utf8',
    env: { ...plain, FORCE_COLOR: '1' } as never,
  });
  expect(red(forced.stderr)).toBe(true);
  expect(red(polya('predict', '-m', 'x.polya', '--color', 'always').stderr)).toBe(true);
});

onTerminal('a conversation: one line typed, one line answered', async () => {
  const child = spawn('script', ['-qefc', `${process.execPath} ${cli} predict -m words.polya`, '/dev/null'], {
    cwd: work,
    env: plain as never,
  });
  const heard: string[] = [];
  const next = (pattern: RegExp) =>
    new Promise<void>((found) => {
      const look = () => pattern.test(heard.join('')) && found();
      child.stdout.on('data', look);
      look();
    });
  child.stdout.on('data', (text) => heard.push(String(text)));
  await next(/one text per line/);
  child.stdin.write('win a free prize today\n');
  await next(/spam\t/);
  child.stdin.write('see you at lunch\n');
  await next(/ham\t/);
  child.stdin.write('\u0004');
  await new Promise((done) => child.on('exit', done));
  expect(heard.join('')).toMatch(/spam\t0\.\d{4}[\s\S]*ham\t0\.\d{4}/);
});

test('completion asks the command, which knows columns and model files', () => {
  const offers = (...words: string[]) =>
    polya('complete', '--', ...words)
      .stdout.split('\n')
      .map((line) => line.split('\t')[0]);
  expect(offers('fit', 'sms.csv', '--target', '')).toEqual(['id', 'label', 'text', ':4', '']);
  expect(offers('predict', '-m', '')).toContain('words.polya');
  expect(offers('f')).toEqual(expect.arrayContaining(['fit', 'features', ':4']));
  expect(offers('fit', '--mod')).toContain('--model');
  expect(offers('fit', '--model', 'mul')).toEqual(['multinomial', ':4', '']);
  expect(offers('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell', ':4', '']);
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    expect(polya('completion', shell).stdout).toMatch(/polya['"]? ?complete|complete --/);
  const checked = spawnSync('bash', ['-n'], { input: polya('completion', 'bash').stdout, encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
});

test.skipIf(!hasStrace)('no network: the command opens no socket', () => {
  const log = join(work, 'calls.txt');
  for (const words of [
    ['fit', 'sms.csv', '-t', 'label', '--model', 'bernoulli', '-o', 'n.polya', '-q'],
    ['predict', 'more.csv', '-m', 'words.polya'],
    ['doctor'],
    ['demo', 'weather'],
  ]) {
    spawnSync('strace', ['-f', '-qq', '-e', 'trace=connect,sendto', '-o', log, process.execPath, cli, ...words], {
      cwd: work,
      env: plain as never,
    });
    expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toMatch(/AF_INET/);
  }
});

test.skipIf(process.platform === 'win32')(
  'the sessions in the documentation are what is printed: run node scripts/cli-sessions.mjs',
  () => {
    const page = readFileSync(join(root, 'docs', 'cli-sessions.md'), 'utf8');
    const fresh = join(path, 'sessions');
    mkdirSync(fresh);
    expect(steady(replay(page, cli, fresh))).toBe(steady(page));
  },
);

test.each([
  ['lines of text', 'text', ['free cash prize', 'see you at noon', 'call now to claim']],
  ['JSON Lines', 'jsonl', ['{"text":"free cash prize"}', '{"text":"see you at noon"}', '{"text":"call now to claim"}']],
  ['CSV', 'csv', ['text,n\nfree cash prize,1', 'see you at noon,2', 'call now to claim,3']],
])('--line-buffered answers each line of a pipe before the next one is written: %s', async (_, format, lines) => {
  const words = ['predict', '-m', 'words.polya', '--line-buffered', '--keep', 'none', '--output', 'jsonl', '-q'];
  const given = format === 'text' ? [] : ['--format', format];
  const child = spawn(process.execPath, [cli, ...words, ...given], { cwd: work, env: plain as never });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const labels: string[] = [];
  for (const line of lines) {
    child.stdin.write(`${line}\n`);
    const { value } = await answers.next(); // without an answer the test would wait here until its time is over
    labels.push(JSON.parse(value).label);
  }
  child.stdin.end();
  expect(labels).toEqual(['spam', 'ham', 'spam']);
  expect((await answers.next()).done).toBe(true);
});
