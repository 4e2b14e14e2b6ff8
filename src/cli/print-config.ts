import type { Command } from './declare.ts';
import type { Printer } from './print.ts';
import { EXIT } from './problem.ts';
import type { Settings } from './settings.ts';
import { pad, safe, width } from './terminal.ts';
import { texts } from './texts/index.ts';

/** Shows every setting of a command with its origin. */
export async function printConfig({ name }: Command, settings: Settings, print: Printer): Promise<number> {
  const rows = [...settings].filter(([key]) => key !== 'printConfig');
  if (print.json) {
    const values = rows.map(([key, { value, origin, from }]) => [key, { value: value ?? null, origin, from }]);
    await print.object({ schema: 'polya/config@1', command: name, settings: Object.fromEntries(values) });
    return EXIT.done;
  }
  const file = rows.find(([, { origin }]) => origin === 'config')?.[1].from;
  const wide = Math.max(...rows.map(([key]) => width(key)));
  const shown = rows.map(([key, { value }]) => [key, value === undefined ? '–' : safe(JSON.stringify(value))] as const);
  const values = Math.min(30, Math.max(...shown.map(([, value]) => width(value))));
  await print.line(texts.config.heading(file));
  for (const [k, [key, value]] of shown.entries()) {
    const { origin, from } = rows[k][1];
    await print.line(`  ${pad(key, wide)}  ${pad(value, values)}  ${origin}${from ? ` ${from}` : ''}`);
  }
  return EXIT.done;
}
