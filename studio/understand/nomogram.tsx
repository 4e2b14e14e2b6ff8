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
import type { Run } from '../protocol.ts';
import { route, show } from '../route.ts';
import { chance, texts, whole } from '../texts/index.ts';
import type { NomogramResult } from '../worker/insight.ts';
import { NomogramPicture } from './nomogram-picture.tsx';
import { axisValues, type Contest, isAdditive, logOddsOf, scoresAt, softmax } from './nomogram-scores.ts';
import { isSingle, NoPicture, OneModel } from './single.tsx';

/** The most probabilities listed as text. */
const MOST_SHOWN = 8;

/** The nomogram: drag the dots to change the values and see the probabilities. */
export function Nomogram({ run }: { run: Run }): JSX.Element {
  return (
    <OneModel run={run}>
      <Asked key={`${run.id} ${isSingle()}`} run={run} single={isSingle()} />
    </OneModel>
  );
}

function Asked({ run, single }: { run: Run; single: boolean }): JSX.Element {
  const asked = useAnswer(() => lab.ask('nomogram', [run.id, single]), [run.id, single]);
  const result = asked.value.value;
  return result ? <Axes result={result} /> : <NoPicture asked={asked} />;
}

/** The class and the rival in the address. */
function contestIn({ classes }: NomogramResult): Contest {
  const { view } = route.value;
  const c = Math.max(0, classes.indexOf(view.class ?? classes.at(-1)!));
  const rival = classes.indexOf(view.rival ?? '');
  return { c, rival: rival >= 0 && rival !== c ? rival : undefined };
}

function Axes({ result }: { result: NomogramResult }): JSX.Element {
  const { understand: say } = texts.value;
  const { classes, axes, features, rows, calibrated } = result;
  const contest = contestIn(result);
  const { c, rival } = contest;
  const additive = isAdditive(result, contest);
  const points = additive && route.value.view.scale === 'points';
  const chosen = useSignal<readonly number[]>(axes.map(({ marks }) => middle(marks, contest)));
  const scores = scoresAt(result, chosen.value);
  const values = axisValues(result, chosen.value, contest);
  const shown = softmax(scores)
    .map((share, k) => ({ name: classes[k], share, shown: chance(share), fill: colourOf(k) }))
    .sort((a, b) => Number(b.name === classes[c]) - Number(a.name === classes[c]))
    .slice(0, MOST_SHOWN);
  const against = rival === undefined ? (classes.length === 2 ? classes[1 - c] : say.rest) : classes[rival];
  const title = say.nomogramTitle(classes[c], against);
  const reading = [
    say.nomogramReading,
    additive ? '' : say.notAdditive,
    rival === undefined ? '' : say.pairProbability(classes[c], classes[rival]),
    features > axes.length ? say.someAxes(whole(axes.length), whole(features)) : '',
    calibrated ? say.beforeCalibration : '',
  ];
  return (
    <>
      <div class="row panel">
        <Scales classes={classes} contest={contest} points={points} additive={additive} />
        <Bars label={say.total} live bars={shown} />
      </div>
      <Figure title={title} reading={reading.filter(Boolean).join(' ')} n={rows} data={dataOf(result)}>
        <NomogramPicture
          {...{ title, axes, points, values, colour: colourOf(c), chosen: chosen.value }}
          total={logOddsOf(scores, contest)}
          probability={`p(${classes[c]})`}
          onPick={(axis, k) => (chosen.value = chosen.value.map((own, a) => (a === axis ? k : own)))}
        />
      </Figure>
    </>
  );
}

function Scales({
  classes,
  contest: { c, rival },
  points,
  additive,
}: {
  classes: readonly string[];
  contest: Contest;
  points: boolean;
  additive: boolean;
}): JSX.Element {
  const { understand: say } = texts.value;
  const rivals = classes.filter((_, k) => k !== c);
  return (
    <>
      <PickClass classes={classes} value={classes[c]} />
      {classes.length > 2 && (
        <Choice
          label={say.against}
          value={rival === undefined ? '' : classes[rival]}
          options={[['', say.rest], ...rivals.map((label) => [label, label] as const)]}
          onChange={(label) => show({ rival: label || undefined })}
        />
      )}
      <Choice
        label={say.scale}
        value={points ? 'points' : 'nats'}
        disabled={!additive}
        options={[
          ['nats', say.scales.nats],
          ['points', say.scales.points],
        ]}
        onChange={(scale) => show({ scale })}
      />
    </>
  );
}

const dataOf = ({ classes, axes, prior }: NomogramResult): Rows => ({
  heads: [...texts.value.understand.nomogramHeads, ...classes],
  rows: [
    [texts.value.understand.prior, '', ...prior],
    ...axes.flatMap(({ feature, marks }) => marks.map(({ value, byClass }) => [feature, value, ...byClass])),
  ],
});

/** The tick with the least effect, where the dot starts. */
const middle = (marks: NomogramResult['axes'][number]['marks'], contest: Contest): number => {
  const sizes = marks.map(({ byClass }) => Math.abs(logOddsOf(byClass, contest)));
  return sizes.indexOf(Math.min(...sizes));
};
