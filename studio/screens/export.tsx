import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { bytes } from '../../src/workbench.ts';
import { desk, lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { download } from '../parts/download.ts';
import { Empty } from '../parts/empty.tsx';
import type { Run } from '../protocol.ts';
import { fitLine, modelName, repeat } from '../repeat.ts';
import { firstRow, model, opened, profile, refused, run, settings } from '../state.ts';
import { language, noticed, texts, whole } from '../texts/index.ts';
import { typed } from '../typed.ts';
import type { ExportForm, ReportWording } from '../worker/exporting.ts';

type Form = 'polya' | ExportForm | 'report';

const FORMS: readonly Form[] = ['polya', 'report', 'js', 'ts', 'json', 'onnx', 'pmml', 'sql', 'csv'];
const TYPES: Readonly<Record<Form, string>> = {
  polya: 'application/octet-stream',
  onnx: 'application/octet-stream',
  json: 'application/json',
  js: 'text/javascript',
  ts: 'text/plain',
  sql: 'application/sql',
  csv: 'text/csv',
  pmml: 'application/xml',
  report: 'text/html',
};

const ENDINGS: Readonly<Partial<Record<Form, string>>> = { report: 'html', ts: 'd.ts' };

/** The Export screen: the model in other formats. */
export default function Export(): JSX.Element {
  const on = model.value;
  const busy = useSignal<Form | undefined>(undefined);
  if (on?.early) return <p class="card">{texts.value.evaluate.again}</p>;
  if (!on) return <Empty what={opened.value ? 'model' : 'data'} />;
  const { export: say } = texts.value;
  const base = modelName(opened.value?.name ?? 'model').replace(/\.polya$/, '');
  const save = async (form: Form) => {
    busy.value = form;
    try {
      download(`${base}.${ENDINGS[form] ?? form}`, await contentOf(form, on.bytes), TYPES[form]);
    } finally {
      busy.value = undefined;
    }
  };
  return (
    <>
      <h2>{say.files}</h2>
      <ul class="files">
        {FORMS.map((form) => (
          <FormCard key={form} form={form} busy={busy.value !== undefined} onSave={() => save(form).catch(refused)} />
        ))}
      </ul>
      <Card />
      <h2>{say.serve}</h2>
      <pre>{served(on.facts.columns)}</pre>
    </>
  );
}

/** One format and its download button. */
function FormCard({ form, busy, onSave }: { form: Form; busy: boolean; onSave: () => void }): JSX.Element {
  const { export: say } = texts.value;
  const isOther = form !== 'polya' && form !== 'report';
  const size = useAnswer(() => (isOther ? desk.ask('exportSize', [form]) : undefined), [model.value?.facts.sha256]);
  const why = size.refusal.value;
  const unreported = form === 'report' && !(run.value?.evaluated && model.value?.run === run.value.id);
  const missing = unreported || why !== undefined;
  const [title, use] = say.forms[form];
  return (
    <li class="card" data-possible={!missing}>
      <b>{title}</b>
      <p class="soft">{unreported ? say.reportNeeds : use}</p>
      {why && (
        <p>
          {say.cannot} <bdi title={why.sentence}>{texts.value.library.refusal(why)}</bdi>
        </p>
      )}
      {size.value.value !== undefined && <p class="soft">{bytes(size.value.value)}</p>}
      <button
        type="button"
        class={form === 'polya' ? 'main' : ''}
        data-form={form}
        disabled={missing || busy || (isOther && size.value.value === undefined)}
        aria-label={texts.value.named(say.download, title)}
        onClick={onSave}
      >
        {say.download}
      </button>
    </li>
  );
}

/** Commands that serve the model and query it with the typed row, or with the first row. */
function served(columns: readonly { readonly name: string }[]): string {
  const example = firstRow(columns.map(({ name }) => name));
  return repeat(opened.value, profile.value, run.value, settings.value, typed.value, example).curl;
}

async function contentOf(form: Form, own: Uint8Array<ArrayBuffer>): Promise<BlobPart> {
  if (form === 'polya') return own;
  if (form !== 'report') return desk.ask('export', [form]);
  const shown = run.value!;
  return lab.ask('report', [shown.id, wordingOf(shown)]);
}

/** The texts of the report that depend on the run, in the current language. */
function wordingOf({ settings: chosen, features, summary, tried, warnings, testRows }: Run): ReportWording {
  const { library, export: say } = texts.value;
  return {
    language: language.value,
    command: fitLine(opened.value!, profile.value, chosen, features),
    summary: library.summary(summary),
    on: say.report.on(whole(testRows)),
    facts: say.report.facts,
    tried: tried.map((own) => ({ ...own, name: library.summary(own.name) })),
    warnings: warnings.map(noticed),
  };
}

function Card(): JSX.Element | null {
  const facts = model.value?.facts;
  const { export: say } = texts.value;
  if (!facts) return null;
  const rows: readonly (readonly [string, string])[] = [
    [say.facts.kind, texts.value.library.summary(facts.summary)],
    [say.facts.target, facts.target],
    [say.facts.classes, facts.classes.slice(0, 30).join(', ')],
    [
      say.facts.columns,
      facts.columns
        .slice(0, 30)
        .map(({ name, kind }) => `${name} (${texts.value.data.kinds[kind as 'text'] ?? kind})`)
        .join(', '),
    ],
    [say.facts.learned, facts.learned === null ? '–' : whole(facts.learned)],
    [say.facts.size, bytes(facts.bytes)],
    [say.facts.sha, facts.sha256],
    [say.facts.format, String(facts.formatVersion)],
    [say.facts.notes, facts.notes || '–'],
  ];
  return (
    <section>
      <h2>{say.card}</h2>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
