import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lessonFigures } from '../scripts/figures/index.ts';
import { allPages, blocksOf, root } from './pages.ts';
import { fillProgramFolder } from './program-folder.ts';
import { rounded } from './replay-pages.ts';
import { printedBy } from './run-program.ts';
import { tar } from './tar.ts';

const cache = join(root, '.cache', 'programs');

/** Lessons are programs of their own, whose output is further down on the page. */
const LESSON = /^docs\/(zh\/)?lessons\//;

const written = allPages().flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language, runBy }) => language === 'ts' && runBy === undefined)
    .map(({ code, output, excuse }, k) => ({
      title: `${path}, program ${k + 1}`,
      program: code,
      output,
      excuse,
      k,
      page: path,
    })),
);
const programs = written.filter(({ excuse }) => excuse === undefined);

beforeAll(() => {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  fillProgramFolder(join(cache, 'files'));
});
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test.each(programs.filter(({ page }) => !LESSON.test(page)))(
  '$title prints what its page shows: npm run outputs',
  async ({ program, output, page, k }) => {
    const file = join(cache, `${page.replaceAll(/\W/g, '-')}-${k}.ts`);
    writeFileSync(file, program);
    expect(rounded(await printedBy(file, join(cache, 'files')))).toBe(rounded(output));
  },
);

test('programs type-check as in a user project', () => {
  const folder = join(root, '.cache', 'typed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { program, page, k } of written) {
    const module = /^(import|export) /m.test(program) ? program : `export {};\n${program}`;
    writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}-${k}.ts`), module);
  }
  writeFileSync(join(folder, 'wrong.ts'), "export const wrong: number = 'a word';\n"); // so that a missing check would be noticed
  const config = { extends: '../../tsconfig.json', compilerOptions: { noUnusedLocals: false }, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  const faults = stdout.split('\n').filter((line) => line.includes('/typed/'));
  expect(faults.filter((line) => !line.includes('wrong.ts'))).toEqual([]);
  expect(faults.length).toBe(1);
});

test('the quick start beats its baseline and forgets exactly', async () => {
  const printed = await printedBy(join(root, 'examples', 'quick-start.ts'));
  const [accuracy, baseline] = [...printed.matchAll(/(?:other messages|would reach):? ([\d.]+) %/g)].map(([, share]) =>
    Number(share),
  );
  expect(accuracy).toBeGreaterThan(baseline + 10);
  expect(printed).toContain('is spam');
  expect(printed).toContain('the same, byte for byte');
});

const lessons = readdirSync(join(root, 'examples', 'lessons')).map((name) => name.slice(0, -3));

const lessonPages = (name: string) => ['docs/lessons', 'docs/zh/lessons'].map((folder) => `${folder}/${name}.md`);
const blocksIn = (path: string, kind: string) =>
  blocksOf(readFileSync(join(root, path), 'utf8')).filter(({ language }) => language === kind);

test.each(lessons)('lesson %s is the program on its pages: npm run lessons', (name) => {
  const program = readFileSync(join(root, 'examples', 'lessons', `${name}.ts`), 'utf8');
  for (const path of lessonPages(name)) expect(blocksIn(path, 'ts').map(({ code }) => code)).toEqual([program]);
});

test.each(lessons.filter((name) => !name.startsWith('11')))(
  'lesson %s prints the output on its pages',
  async (name) => {
    const printed = await printedBy(join(root, 'examples', 'lessons', `${name}.ts`));
    for (const path of lessonPages(name)) {
      const [{ code }] = blocksIn(path, 'text');
      expect(printed, 'npm run lessons writes it anew').toBe(code);
    }
  },
);

test('the figures of the lessons match their data and are shown in their pages: npm run lessons', () => {
  const drawn = lessonFigures();
  expect(readdirSync(join(root, 'docs', 'images', 'lessons')).sort()).toEqual(drawn.map(([name]) => name).sort());
  for (const [name, content] of drawn) {
    expect(readFileSync(join(root, 'docs', 'images', 'lessons', name), 'utf8'), name).toBe(content);
    const lesson = lessons.find((own) => own.slice(0, 3) === name.slice(0, 3))!;
    const page = lessonPages(lesson)[name.endsWith('.zh.svg') ? 1 : 0];
    expect(readFileSync(join(root, page), 'utf8'), page).toContain(`images/lessons/${name})`);
  }
  for (const name of lessons.filter((own) => !own.startsWith('11')))
    expect(drawn.map(([own]) => own)).toContain(`${name}.svg`);
});

test('lesson 11 runs on a small archive of the layout of 20 Newsgroups', async () => {
  const posts = {
    'soc.religion.christian': 'God is love, and love is of God',
    'comp.graphics': 'OpenGL on the GPU draws fast graphics',
    'alt.atheism': 'no gods were needed for this argument',
    'sci.med': 'the doctor gave a dose of medicine',
  };
  const entries = Object.entries(posts).flatMap(([group, text]) =>
    ['train', 'test'].map((part, k) => ({
      name: `20news-bydate-${part}/${group}/${k + 1}`,
      content: `From: someone\nSubject: ${group}\n\n${text}\n`,
    })),
  );
  const archive = join(cache, '20news-bydate.tar.gz');
  writeFileSync(archive, gzipSync(tar(entries)));
  process.env.POLYA_NEWSGROUPS = archive;
  expect(await printedBy(join(root, 'examples', 'lessons', '11-newsgroups.ts'))).toBe(
    "'God is love' => soc.religion.christian\n'OpenGL on the GPU is fast' => comp.graphics\naccuracy 1.0000 on 4 documents\n",
  );
});

test('lesson 11 without its archive ends with one line and no stack trace', () => {
  const env = { ...process.env, POLYA_NEWSGROUPS: join(cache, 'no-such-archive.tar.gz') };
  const file = join(root, 'examples', 'lessons', '11-newsgroups.ts');
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual(['"no-such-archive.tar.gz" does not exist']);
});
