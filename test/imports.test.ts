import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url).pathname;

/** From left to right: a room imports from itself and the rooms before it; rooms of one step never meet. */
const steps = [
  ['errors'],
  ['math'],
  ['data'],
  ['core'],
  ['stats'],
  ['models', 'text', 'features', 'evaluate', 'engines'],
  ['estimators'],
  ['auto', 'exchange', 'datasets', 'report', 'client'],
  ['warehouse'],
  ['server'],
  ['cli'],
];
const place = new Map(steps.flatMap((rooms, step) => rooms.map((room) => [room, step])));

/** Doors re-export and belong to no room; `node` is what the Node door adds. */
const doors = ['index', 'node'];
const isDoor = (file: string) => doors.includes(roomOf(file)) || dirname(file) === dirname(join(src, 'index.ts'));

/** Clients of engines, which users install themselves: each is imported by the adapter of its engine alone. */
const clients: Readonly<Record<string, readonly string[]>> = {
  clickhouse: ['@clickhouse/client'],
  duckdb: ['@duckdb/node-api'],
  postgres: ['pg'],
  spark: ['@grpc/grpc-js', 'apache-arrow'],
};
const isClient = (file: string, target: string) =>
  clients[relative(join(src, 'engines'), file).split('/')[0]]?.includes(target) ?? false;

/** Faces that are bundled: they may import packages, Node's own modules and what the Node door adds. */
const bundled = ['report', 'server', 'cli'];

const roomOf = (file: string) => relative(src, file).replace(/\.ts$/, '').split('/')[0];
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => join(src, file));

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)[^;']*from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, target, lazy]) => target ?? lazy,
  );

test('every room is known', () => {
  for (const file of files) expect([...place.keys(), ...doors], file).toContain(roomOf(file));
});

test.each(files.map((file) => [relative(src, file), file]))(
  '%s imports from its own room and the rooms to its left',
  (_, file) => {
    const room = roomOf(file);
    if (isDoor(file) && room !== 'errors') return;
    for (const target of importsOf(file)) {
      if (room === 'engines' && (target.startsWith('node:') || isClient(file, target))) continue; // no browser door reaches them
      if (bundled.includes(room) && (!target.startsWith('.') || /^(\.\.\/)+node\//.test(target))) continue;
      expect(target, 'only files of the house are imported').toMatch(/^\.\.?\//);
      const other = roomOf(join(dirname(file), target));
      expect(doors, `${target} is a door`).not.toContain(other);
      if (other !== room) expect(place.get(other), `${room} imports ${other}`).toBeLessThan(place.get(room)!);
    }
  },
);

test.each(['index.ts', 'exchange.ts'])('nothing that the door %s reaches imports from node:', (door) => {
  const reached = new Set<string>();
  const walk = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of importsOf(file)) {
      expect(target, file).toMatch(/^\.\.?\//);
      walk(join(dirname(file), target));
    }
  };
  walk(join(src, door));
  expect(reached.size).toBeGreaterThan(20);
});
