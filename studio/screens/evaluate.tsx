import type { JSX } from 'preact';
import { ByClass } from '../evaluate/by-class.tsx';
import { CellRows, Confusion } from '../evaluate/confusion.tsx';
import { Slices } from '../evaluate/slices.tsx';
import { Thresholds } from '../evaluate/thresholds.tsx';
import { Empty } from '../parts/empty.tsx';
import { Later } from '../parts/later.tsx';
import type { Evaluated } from '../protocol.ts';
import { opened, run } from '../state.ts';
import { noticed, percent, texts, three, whole } from '../texts/index.ts';

/** How good the model is on rows it has not seen. */
export default function Evaluate(): JSX.Element {
  const shown = run.value;
  if (!shown?.evaluated) return <Empty what={opened.value ? 'run' : 'data'} />;
  const { evaluate: say } = texts.value;
  const { evaluated } = shown;
  return (
    <>
      <p class="soft">{say.on(whole(shown.testRows), whole(shown.trainRows))}</p>
      <p class="big">
        <bdi>{sentence(evaluated)}</bdi>
      </p>
      {!shown.bytes && <p class="soft">{say.again}</p>}
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
        <CellRows run={shown} />
      </Later>
      <Later>
        {evaluated.operating.length > 0 && <Thresholds evaluated={evaluated} classes={shown.classes} />}
        <Slices run={shown} />
      </Later>
    </>
  );
}

/** One plain sentence: what it catches, and what it flags wrongly. */
function sentence({ judgement, operating: [first] }: Evaluated): string {
  const { evaluate: say } = texts.value;
  const { labels, matrix } = judgement.confusion;
  if (labels.length !== 2 || !first) {
    return say.right(whole(Math.round(judgement.accuracy.value * judgement.rows)), whole(judgement.rows));
  }
  const own = labels.indexOf(first.label);
  const [caught, missed] = [matrix[own][own], matrix[own][1 - own]];
  const [clear, flagged] = [matrix[1 - own][1 - own], matrix[1 - own][own]];
  return say.catches(
    whole((100 * caught) / Math.max(1, caught + missed)),
    first.label,
    whole((1000 * flagged) / Math.max(1, clear + flagged)),
    labels[1 - own],
  );
}

function Numbers({ evaluated: { judgement } }: { evaluated: Evaluated }): JSX.Element {
  const { evaluate: say } = texts.value;
  const { accuracy, logLoss, brier, calibrationError } = judgement;
  return (
    <ul class="numbers" data-judgement={JSON.stringify(judgement)}>
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
