import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { Bars } from '../parts/bars.tsx';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import type { Rows } from '../parts/download.ts';
import { Figure } from '../parts/figure.tsx';
import { PickClass } from '../parts/pick.tsx';
import { Refusing } from '../parts/refusing.tsx';
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { texts } from '../texts/index.ts';
import type { NomogramTold } from '../worker/insight.ts';
import { NomogramPicture } from './nomogram-picture.tsx';

/** So many probabilities are written out. */
const MOST_SHOWN = 8;

/** The model as axes with dots: drag them, and the probabilities follow. */
export function Nomogram({ run }: { run: Run }): JSX.Element {
  const asked = useAnswer(() => lab.ask('nomogram', [run.id]), [run.id]);
  const told = asked.value.value;
  if (!told) return <Refusing asked={asked} />;
  return <Axes key={run.id} told={told} />;
}

/** What a mark adds for the class against the mean of the others. */
function scaleOf(byClass: readonly number[], c: number): number {
  const others = byClass.filter((_, k) => k !== c);
  return byClass[c] - others.reduce((sum, value) => sum + value, 0) / Math.max(1, others.length);
}

/** Probabilities that sum to one: the softmax of what is added up. */
function posterior({ prior, axes, classes }: NomogramTold, chosen: readonly number[]): number[] {
  const scores = classes.map(
    (_, c) => prior[c] + axes.reduce((sum, { marks }, a) => sum + marks[chosen[a]].byClass[c], 0),
  );
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

function Axes({ told }: { told: NomogramTold }): JSX.Element {
  const { understand: say } = texts.value;
  const { classes, axes } = told;
  const c = Math.max(0, classes.indexOf(route.value.view.class ?? classes.at(-1)!));
  const points = route.value.view.scale === 'points';
  const chosen = useSignal<readonly number[]>(axes.map(({ marks }) => middle(marks, c)));
  const shares = posterior(told, chosen.value);
  const shown = classes.map((label, k) => ({ label, share: shares[k], c: k })).slice(0, MOST_SHOWN);
  const title = `${say.tabs.nomogram}: ${classes[c]}`;
  return (
    <>
      <div class="row panel">
        <Scales classes={classes} c={c} points={points} />
        <Bars label={say.total} live bars={shown} />
      </div>
      <Figure title={title} reading={say.nomogramReading} data={dataOf(told)}>
        <NomogramPicture
          {...{ title, axes, points, colour: colourOf(c), chosen: chosen.value }}
          values={axes.map(({ marks }) => marks.map(({ byClass }) => scaleOf(byClass, c)))}
          onPick={(axis, k) => (chosen.value = chosen.value.map((own, a) => (a === axis ? k : own)))}
        />
      </Figure>
    </>
  );
}

function Scales({ classes, c, points }: { classes: readonly string[]; c: number; points: boolean }): JSX.Element {
  const { understand: say } = texts.value;
  return (
    <>
      <PickClass classes={classes} value={classes[c]} />
      <Choice
        label={say.scale}
        value={points ? 'points' : 'nats'}
        options={[
          ['nats', say.scales.nats],
          ['points', say.scales.points],
        ]}
        onChange={(scale) => show({ scale })}
      />
    </>
  );
}

const dataOf = ({ classes, axes }: NomogramTold): Rows => ({
  heads: [...texts.value.understand.nomogramHeads, ...classes],
  rows: axes.flatMap(({ feature, marks }) => marks.map(({ value, byClass }) => [feature, value, ...byClass])),
});

/** The mark that says least: there the dots begin. */
const middle = (marks: NomogramTold['axes'][number]['marks'], c: number): number => {
  const sizes = marks.map(({ byClass }) => Math.abs(scaleOf(byClass, c)));
  return sizes.indexOf(Math.min(...sizes));
};
