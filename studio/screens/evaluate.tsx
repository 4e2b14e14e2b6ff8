import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { ByClass } from '../evaluate/by-class.tsx';
import { CellRows, Confusion } from '../evaluate/confusion.tsx';
import { dropThreshold, thresholdRule } from '../evaluate/decision.ts';
import { CrossValidation, OtherFile } from '../evaluate/elsewhere.tsx';
import { Offer } from '../evaluate/offer.tsx';
import { Slices } from '../evaluate/slices.tsx';
import { Thresholds } from '../evaluate/thresholds.tsx';
import { useAnswer } from '../parts/answers.ts';
import { Empty } from '../parts/empty.tsx';
import { Later } from '../parts/later.tsx';
import type { Evaluated, Run, ThresholdRule } from '../protocol.ts';
import { ChosenRows } from '../rows/rows.tsx';
import { opened, run } from '../state.ts';
import { noticed, percent, texts, three, whole } from '../texts/index.ts';

/** The Evaluate screen: the model on held-out rows. */
export default function Evaluate(): JSX.Element {
  const shown = run.value;
  if (!shown?.evaluated) return <Empty what={opened.value ? 'run' : 'data'} />;
  return <Evaluation key={shown.id} run={shown} whole={shown.evaluated} />;
}

/** The evaluation of a run, with a threshold if one is set. */
function Evaluation({ run: shown, whole: usual }: { run: Run; whole: Evaluated }): JSX.Element {
  const { evaluate: say } = texts.value;
  const rule = thresholdRule(usual);
  const asked = useAnswer(
    () => rule && lab.ask('evaluateAt', [shown.id, rule]),
    [shown.id, rule?.label, rule?.threshold],
  );
  const evaluated = rule && asked.value.value ? { ...usual, evaluation: asked.value.value } : usual;
  return (
    <>
      <p class="soft">{say.on(whole(shown.testRows), whole(shown.trainRows))}</p>
      <p class="big">
        <bdi>{sentence(evaluated, rule)}</bdi>
      </p>
      {rule && (
        <p class="row" data-rule>
          <span>{say.decided(rule.label, three(rule.threshold))}</span>
          <button type="button" class="small" onClick={dropThreshold}>
            {say.mostProbable}
          </button>
        </p>
      )}
      {!shown.bytes && <p class="soft">{say.again}</p>}
      {shown.stopped && (
        <p class="warnings" data-stopped={shown.stopped}>
          {texts.value.stopping[shown.stopped]}
        </p>
      )}
      <Numbers evaluated={evaluated} />
      {shown.warnings.length > 0 && (
        <ul class="warnings">
          {shown.warnings.map((warning) => (
            <li key={warning.sentence}>
              <bdi>{noticed(warning)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <Later>
        <div class="pair">
          <ByClass evaluated={evaluated} />
          <Confusion evaluated={evaluated} />
        </div>
        <CellRows run={shown} rule={rule} />
      </Later>
      <Later>
        {evaluated.operating.length > 0 && <Thresholds run={shown} evaluated={evaluated} rule={rule} />}
        <ChosenRows run={shown} rule={rule} />
        <Slices run={shown} rule={rule} />
      </Later>
      <Later>
        <Offer run={shown} />
        <CrossValidation run={shown} />
        <OtherFile run={shown} />
      </Later>
    </>
  );
}

/** One sentence: how many rows of the class are found, and how many others are flagged. */
function sentence({ evaluation, operating: [first] }: Evaluated, rule: ThresholdRule | undefined): string {
  const { evaluate: say } = texts.value;
  const { labels, matrix } = evaluation.confusion;
  const own = labels.indexOf(rule?.label ?? (labels.length === 2 ? (first?.label ?? '') : ''));
  if (own < 0) return say.right(whole(Math.round(evaluation.accuracy.value * evaluation.rows)), whole(evaluation.rows));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const caught = matrix[own][own];
  const flagged = sum(matrix.map((row) => row[own])) - caught;
  const others = evaluation.rows - sum(matrix[own]);
  return say.catches(
    whole((100 * caught) / Math.max(1, sum(matrix[own]))),
    labels[own],
    whole((1000 * flagged) / Math.max(1, others)),
    labels.length === 2 ? labels[1 - own] : say.others,
  );
}

function Numbers({ evaluated: { evaluation } }: { evaluated: Evaluated }): JSX.Element {
  const { evaluate: say } = texts.value;
  const { accuracy, logLoss, brier, calibrationError } = evaluation;
  return (
    <ul class="numbers" data-evaluation={JSON.stringify(evaluation)}>
      <li>
        <b>{percent(accuracy.value)}</b>
        <span>{say.accuracy}</span>
        <span class="soft">{say.interval(percent(accuracy.low), percent(accuracy.high))}</span>
      </li>
      {(
        [
          [say.logLoss, logLoss],
          [say.brier, brier],
          [say.calibrationError, calibrationError],
        ] as const
      ).map(([name, value]) => (
        <li key={name}>
          <b>{three(value)}</b>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}
