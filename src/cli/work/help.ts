import { suggest } from '../../data/suggest.ts';
import type { Help } from '../commands/help.ts';
import { commandHelp, programHelp } from '../help.ts';
import { fail } from '../problem.ts';
import { commands } from '../registry.ts';
import { corrected } from '../shell.ts';
import { texts } from '../texts/index.ts';
import { type Topic, topics } from '../texts/topics.ts';
import { version } from '../version.ts';

/** Help on a command or a topic. */
export async function help({ args, print, words }: Help): Promise<undefined> {
  const [topic] = args;
  const { screen } = print;
  const known = commands.find(({ name, aliases = [] }) => name === topic || aliases.includes(topic));
  if (topic === undefined) await print.raw(programHelp(commands, screen, version()));
  else if (known) await print.raw(commandHelp(known, 'full', screen));
  else if (Object.hasOwn(topics, topic)) await print.raw(`${topics[topic as Topic]().replace(/^\n/, '').trimEnd()}\n`);
  else {
    const names = [...Object.keys(topics), ...commands.map(({ name }) => name)];
    const near = suggest(topic, names);
    fail('E_USAGE', texts.usage.unknownTopic(topic, near), {
      notes: [texts.usage.topics(Object.keys(topics))],
      command: near && corrected(words, topic, near),
    });
  }
  return undefined;
}
