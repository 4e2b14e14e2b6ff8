import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { boundarySpec } from '../boundary/picture.ts';
import { Client, refusalIn } from '../client.ts';
import { openData } from '../open.ts';
import type { Asked } from '../parts/answers.ts';
import { Chart } from '../parts/chart.tsx';
import { Refusing } from '../parts/refusing.tsx';
import { Table } from '../parts/table.tsx';
import type { Refusal } from '../protocol.ts';
import { refused } from '../state.ts';
import { chance, percent, texts, three, whole } from '../texts/index.ts';
import { beginTour } from '../tour.ts';
import type { LiveAsked, LiveResult } from '../worker/live.ts';
import { Options } from './options.tsx';
import { type SampleName, samples } from './samples.ts';
import { wordsSpec } from './words-picture.ts';

/** A sample with a model that is trained anew at every move of a slider: data, model, picture and score side by side. */
export default function Live(): JSX.Element {
  const name = useSignal<SampleName>('iris');
  return (
    <section class="live" data-live aria-labelledby="live-title">
      <h2 id="live-title">{texts.value.live.title}</h2>
      <p class="soft">{texts.value.live.about}</p>
      <p class="row">
        {(Object.keys(samples) as SampleName[]).map((own) => (
          <button key={own} type="button" aria-pressed={own === name.value} onClick={() => (name.value = own)}>
            {texts.value.start.sampleNames[own][0]}
          </button>
        ))}
        <button type="button" data-tour onClick={() => beginTour().catch(refused)}>
          {texts.value.tour.begin}
        </button>
        <button type="button" data-live-open onClick={() => openData({ kind: 'sample', name: name.value })}>
          {texts.value.live.open}
        </button>
      </p>
      <Workbench key={name.value} name={name.value} />
    </section>
  );
}

function Workbench({ name }: { name: SampleName }): JSX.Element {
  const asked = useSignal<LiveAsked>(samples[name]);
  const answer = useLive(name, asked.value);
  const result = answer.value.value;
  return (
    <div class="workbench">
      <section class="card">
        <h3>{texts.value.live.model}</h3>
        <Options asked={asked.value} onChange={(part) => (asked.value = { ...asked.value, ...part })} />
      </section>
      {result ? <Shown result={result} asked={asked.value} /> : <Refusing asked={answer} />}
    </div>
  );
}

/** Trains with the latest options, one request at a time, so that the page does not lag behind the slider. */
function useLive(name: SampleName, asked: LiveAsked): Asked<LiveResult> {
  const value = useSignal<LiveResult | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const client = useMemo(() => new Client(), []);
  const state = useRef({ opened: false, busy: false, latest: asked, stopped: false });
  state.current.latest = asked;
  useEffect(() => {
    const now = state.current;
    const follow = async () => {
      now.busy = true;
      try {
        if (!now.opened) await client.ask('open', [{ kind: 'sample', name }, [], asked.target]);
        now.opened = true;
        for (let sent: LiveAsked | undefined; sent !== now.latest; ) {
          sent = now.latest;
          value.value = await client.ask('live', [sent]);
          refusal.value = undefined;
        }
      } catch (error) {
        if (now.stopped) return;
        value.value = undefined;
        refusal.value = refusalIn(error);
      } finally {
        now.busy = false;
      }
    };
    if (!now.busy) void follow();
  }, [asked]);
  useEffect(
    () => () => {
      state.current.stopped = true;
      client.stop();
    },
    [],
  );
  return { value, refusal };
}

function Shown({ result, asked }: { result: LiveResult; asked: LiveAsked }): JSX.Element {
  const { live: say } = texts.value;
  const { classes, plane, words, rows, evaluation } = result;
  const [x, y = ''] = asked.columns;
  const spec = useMemo(() => {
    if (words) return wordsSpec(words, classes, result.trainRows);
    const reading = say.planeReading(whole(evaluation.rows));
    return { ...boundarySpec(plane!, classes, x, y), reading };
  }, [result, texts.value]);
  return (
    <>
      <Chart spec={spec} />
      <Score result={result} />
      <section class="card">
        <h3>{say.data}</h3>
        <p class="soft">{say.dataAbout}</p>
        <Table
          label={say.data}
          tools={false}
          heads={say.dataHeads}
          rows={rows.map(({ content, truth, answer, sure }) => [
            content,
            truth,
            truth === answer ? answer : { text: answer, shown: <Wrong answer={answer} /> },
            chance(sure),
          ])}
        />
      </section>
    </>
  );
}

const Wrong = ({ answer }: { answer: string }): JSX.Element => (
  <b class="wrong">
    <bdi>{answer}</bdi> ✗
  </b>
);

/** The score on held-out rows, and what the last change did to it. */
function Score({ result: { evaluation, trainRows } }: { result: LiveResult }): JSX.Element {
  const { live: say, evaluate } = texts.value;
  const { accuracy, logLoss, rows, labels } = { ...evaluation, labels: evaluation.confusion.labels };
  const before = useRef<{ accuracy: number; logLoss: number | null } | undefined>(undefined);
  const last = useRef({ accuracy: accuracy.value, logLoss });
  if (last.current.accuracy !== accuracy.value || last.current.logLoss !== logLoss) {
    before.current = last.current;
    last.current = { accuracy: accuracy.value, logLoss };
  }
  const was = before.current;
  return (
    <section class="card" aria-live="polite">
      <h3>{say.score}</h3>
      <p class="figure" data-live-score={accuracy.value}>
        <b>{percent(accuracy.value)}</b> <span>{evaluate.accuracy}</span>
      </p>
      <p class="soft">
        {evaluate.interval(percent(accuracy.low), percent(accuracy.high))} ·{' '}
        {evaluate.on(whole(rows), whole(trainRows))}
      </p>
      <p>
        {evaluate.logLoss} <b>{three(logLoss)}</b>
      </p>
      <p class="soft">{was ? say.before(percent(was.accuracy), three(was.logLoss)) : say.unchanged}</p>
      <Table
        label={evaluate.confusion}
        tools={false}
        heads={[evaluate.truth, ...labels]}
        rows={labels.map((label, i) => [label, ...evaluation.confusion.matrix[i].map(whole)])}
      />
    </section>
  );
}
