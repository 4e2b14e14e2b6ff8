import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import type { Io } from './io.ts';
import { type Progress, partOf, progressOf } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Progress into a list of writes. */
function progress(options: {
  progress?: 'auto' | 'bar' | 'plain' | 'json' | 'none';
  tty?: boolean;
  quiet?: boolean;
  env?: Io['env'];
}) {
  const written: string[] = [];
  const sink = { tty: options.tty ?? false, columns: 80, write: (text: string) => void written.push(text) };
  const io = { stderr: sink, env: options.env ?? {} } as unknown as Io;
  const { progress: kind = 'auto', quiet = false } = options;
  return { written, shows: progressOf(io, { progress: kind, quiet, json: false }) };
}

/** A number of steps, each some milliseconds after the last. */
function work(shows: Progress, steps: number, milliseconds: number, phase = 'reading') {
  for (let k = 1; k <= steps; k++) {
    vi.advanceTimersByTime(milliseconds);
    shows.step(phase, { share: k / steps, rows: k * 100, bytes: k * 1000 });
  }
}

test('a bar is drawn on a terminal, ten times a second at the most, with share, rows, speed and time left', () => {
  const { written, shows } = progress({ tty: true });
  work(shows, 2000, 1);
  shows.close();
  const drawn = written.filter((text) => text.startsWith('\r\u001b[2K'));
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.length).toBeLessThanOrEqual(2000 / 100 + 2);
  expect(drawn[5]).toMatch(/^\r\S+reading {5}█+░+ {2}\d\d % {2}\d\.\d s left {2}[\d,]+ rows {2}\d+k rows\/s/);
  expect(written.at(-1)).toBe('\r\u001b[2K'); // nothing is left of it
  for (const line of drawn) expect(line.length).toBeLessThan(80 + 5);
});

test('other output clears the bar first, and it is drawn again behind it', () => {
  const { written, shows } = progress({ tty: true });
  const sink = shows.over({ tty: true, columns: 80, write: (text) => void written.push(text) });
  sink.write('before\n');
  work(shows, 1000, 1);
  sink.write('after\n');
  expect(written[0]).toBe('before\n');
  expect(written.slice(-2)).toEqual(['\r\u001b[2K', 'after\n']);
});

test('planned phases have the share and the remaining time of the whole command', () => {
  const { written, shows } = progress({ progress: 'json' });
  shows.plan({ reading: 1, folds: 3 });
  for (const share of [0, 0.5, 1]) shows.step('reading', { share });
  const inner = partOf(shows, 'folds', 1, 2, { counting: 1, scoring: 1 });
  for (const share of [0.5, 1]) inner.step('counting', { share });
  inner.step('scoring', { share: 0 }); // never less than before
  inner.step('scoring', { share: 1 });
  shows.close();
  const last = JSON.parse(written.at(-1)!);
  expect(last).toMatchObject({ phase: 'folds', share: 1, done: true });
  const bar = progress({ tty: true });
  bar.shows.plan({ reading: 1, folds: 3 });
  work(bar.shows, 10, 100);
  vi.advanceTimersByTime(100);
  bar.shows.step('folds', { share: 0 });
  const drawn = bar.written.at(-1)!;
  expect(drawn).toContain('folds       █████░░░░░░░░░░░░░░░  25 %  3.3 s left'); // 1.1 s of 4.4
});

test('a later phase is drawn at once, and the line stays between phases', () => {
  const { written, shows } = progress({ tty: true });
  work(shows, 10, 100);
  shows.end();
  expect(written.at(-1)).toContain('reading');
  vi.advanceTimersByTime(100);
  shows.step('learning', { share: 0 });
  expect(written.at(-1)).toContain('learning');
  shows.close();
  expect(written.at(-1)).toBe('\r\u001b[2K');
});

test('work that is over at once shows nothing', () => {
  for (const tty of [true, false]) {
    const { written, shows } = progress({ tty });
    work(shows, 10, 20);
    shows.end();
    expect(written).toEqual([]);
  }
});

test('elsewhere a plain line comes every tenth or every ten seconds', () => {
  const { written, shows } = progress({});
  work(shows, 1000, 10);
  shows.end();
  expect(written.length).toBeGreaterThanOrEqual(9);
  expect(written.length).toBeLessThanOrEqual(11);
  expect(written[3]).toMatch(/^reading {2}\d\d % {2}\d\.\d s left {2}[\d,]+ rows {2}[\d,k]+ rows\/s {2}\d+ kB\n$/);
  const slow = progress({});
  for (let k = 0; k < 40; k++) {
    vi.advanceTimersByTime(1000);
    slow.shows.step('reading', { rows: k });
  }
  expect(slow.written).toHaveLength(3);
});

test('JSON steps parse and end with one that is done', () => {
  const { written, shows } = progress({ progress: 'json' });
  work(shows, 50, 10);
  shows.step('learning', { share: 0.5, what: 'words' });
  shows.end();
  const steps = written.map((line) => JSON.parse(line));
  expect(steps[0]).toMatchObject({ schema: 'polya/progress@1', phase: 'reading', done: false });
  expect(steps.filter(({ done }) => done).map(({ phase }) => phase)).toEqual(['reading', 'learning']);
  expect(steps.length).toBeLessThan(12);
});

test('none, quiet and dumb terminals', () => {
  for (const options of [
    { progress: 'none' as const, tty: true },
    { quiet: true, tty: true },
  ]) {
    const { written, shows } = progress(options);
    work(shows, 100, 100);
    shows.end();
    expect(written).toEqual([]);
  }
  const dumb = progress({ tty: true, env: { TERM: 'dumb' } });
  work(dumb.shows, 100, 100);
  expect(dumb.written.join('')).not.toContain('\u001b');
});

test('a step costs next to nothing beside the work', () => {
  vi.useRealTimers();
  const { shows } = progress({ tty: true });
  const spent = processorTime(() => {
    for (let k = 0; k < 100_000; k++) shows.step('reading', { share: k / 100_000, rows: k });
  });
  expect(spent / 100_000).toBeLessThan(atMost(0.01)); // milliseconds; steps come every thousand rows or so
});
