import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { lab } from '../client.ts';
import { Choice } from '../parts/choice.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { Table } from '../parts/table.tsx';
import type { NamedFile, Run } from '../protocol.ts';
import { work, working } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';
import { hear } from '../train.ts';
import type { ColumnDrift, WordDrift } from '../worker/drift.ts';
import type { Folds, SecondFile } from '../worker/elsewhere.ts';

/** The settings of a run on k folds. */
export function CrossValidation({ run }: { run: Run }): JSX.Element {
  const { elsewhere: say } = texts.value;
  const k = useSignal('5');
  const found = useSignal<Folds | undefined>(undefined);
  const start = () =>
    working(async () => {
      found.value = await lab.ask('folds', [run.id, Number(k.value)], hear);
    });
  return (
    <section data-part="folds">
      <h2>{say.folds}</h2>
      <p class="soft">{say.foldsHelp}</p>
      <div class="row">
        <Choice
          label={say.k}
          value={k.value}
          options={['3', '5', '10'].map((own) => [own, own] as const)}
          onChange={(own) => (k.value = own)}
        />
        <button type="button" data-folds disabled={work.value !== undefined} onClick={start}>
          {say.start}
        </button>
      </div>
      {found.value && (
        <Table
          label={say.folds}
          heads={say.foldHeads}
          rows={[
            ...found.value.folds.map((own, i) => [
              String(i + 1),
              whole(own.rows),
              percent(own.accuracy),
              three(own.logLoss),
            ]),
            [
              say.together,
              whole(found.value.evaluation.rows),
              `${percent(found.value.evaluation.accuracy.value)} (${percent(found.value.evaluation.accuracy.low)} – ${percent(found.value.evaluation.accuracy.high)})`,
              three(found.value.evaluation.logLoss),
            ],
          ]}
        />
      )}
    </section>
  );
}

/** A second file: how good the model is on it, and how it differs from the training rows. */
export function OtherFile({ run }: { run: Run }): JSX.Element {
  const { elsewhere: say } = texts.value;
  const found = useSignal<SecondFile | undefined>(undefined);
  const read = (files: readonly NamedFile[]) =>
    working(async () => {
      found.value = await lab.ask('second', [run.id, { kind: 'files', files }], hear);
    });
  return (
    <section data-part="second">
      <h2>{say.second}</h2>
      <p class="soft">{say.secondHelp}</p>
      <FileButton title={say.file} mark="second" disabled={work.value !== undefined} onPick={read} />
      {found.value && <Second found={found.value} />}
    </section>
  );
}

function Second({ found }: { found: SecondFile }): JSX.Element {
  const { elsewhere: say } = texts.value;
  const { name, rows, evaluation, absent, columns, words } = found;
  return (
    <>
      <p class="big" data-second-evaluation={evaluation && JSON.stringify(evaluation)}>
        <bdi>{name}</bdi> · {say.rows(whole(rows))}
        {evaluation &&
          ` · ${say.accuracy(percent(evaluation.accuracy.value), percent(evaluation.accuracy.low), percent(evaluation.accuracy.high), whole(evaluation.rows))}`}
      </p>
      {!evaluation && <p class="soft">{say.unlabelled}</p>}
      {absent.length > 0 && <p role="alert">{say.absent(absent.join(', '))}</p>}
      {columns.length > 0 && <Table label={say.drift} heads={say.columnHeads} rows={columns.map(columnRow)} />}
      {words.length > 0 && <Table label={say.words} heads={say.wordHeads} rows={words.map(wordRow)} />}
    </>
  );
}

/** Differences that chance makes less often than this are marked. */
const RARE = 0.001;

const columnRow = ({ name, distance, p, missing: [before, after] }: ColumnDrift) => [
  name,
  percent(distance),
  p < RARE ? texts.value.elsewhere.drifts : three(p),
  percent(before),
  percent(after),
];

const wordRow = ({ word, before, after, z }: WordDrift) => [word, percent(before), percent(after), z.toFixed(1)];
