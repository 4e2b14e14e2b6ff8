import { suggest } from '../../data/suggest.ts';
import { type Judgement, scoreNamed, scoreNames } from '../../server/insight/judge.ts';
import type { Context } from '../context.ts';
import { pairOf } from '../data-problems.ts';
import { fail } from '../problem.ts';
import { corrected } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';

/** A score with the limit it has to keep. */
export interface Gate {
  readonly name: string;
  readonly kind: 'under' | 'over';
  readonly limit: number;
  readonly value: number;
  readonly met: boolean;
  readonly sentence: string;
}

type Gated = Context & {
  readonly options: { readonly failUnder: readonly string[]; readonly failOver: readonly string[] };
};

/** Holds scores against `--fail-under` and `--fail-over`. */
export function checkGates(context: Gated, judgement: Judgement): Gate[] {
  const { failUnder, failOver } = context.options;
  return [
    ...failUnder.map((word) => gateOf(context.words, '--fail-under', 'under', word, judgement)),
    ...failOver.map((word) => gateOf(context.words, '--fail-over', 'over', word, judgement)),
  ];
}

function gateOf(words: readonly string[], flag: string, kind: Gate['kind'], word: string, judgement: Judgement): Gate {
  const [name, text] = pairOf(flag, 'METRIC=VALUE', word);
  const limit = Number(text);
  if (text === '' || !Number.isFinite(limit))
    fail('E_USAGE', texts.usage.numberNeeded(flag, false, undefined, undefined, text));
  const found = scoreNamed(judgement, name);
  if (found === undefined) {
    const names = scoreNames(judgement);
    const near = suggest(name, names);
    return fail('E_USAGE', texts.evaluate.noScore(safe(name)), {
      notes: [
        texts.usage.choices(
          names.slice(0, 20).map((own) => safe(own, 40)),
          near,
        ),
      ],
      command: near && corrected(words, word, `${near}=${text}`),
    });
  }
  const { value, low, high } = found;
  const bounds = low === high ? '' : ` (${low.toFixed(3)}–${high.toFixed(3)})`;
  const say = kind === 'under' ? texts.evaluate.under : texts.evaluate.over;
  const met = kind === 'under' ? value >= limit : value <= limit;
  return { name, kind, limit, value, met, sentence: say(safe(name), value.toFixed(3), bounds, text) };
}
