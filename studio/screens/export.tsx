import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { bytes } from '../../src/cli/numbers.ts';
import { desk, lab } from '../client.ts';
import { useAnswer } from '../parts/answers.ts';
import { download } from '../parts/download.ts';
import { Empty } from '../parts/empty.tsx';
import { fitLine, modelName, repeat } from '../repeat.ts';
import { firstRow, model, opened, profile, refused, run, settings } from '../state.ts';
import { texts, whole } from '../texts/index.ts';
import { typed } from '../typed.ts';
import type { ExportForm } from '../worker/exporting.ts';

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

/** The model in the forms that other places take. */
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

/** One form of the model, and a button that hands it over. */
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
          {say.cannot} <bdi>{why.sentence}</bdi>
        </p>
      )}
      {size.value.value !== undefined && <p class="soft">{bytes(size.value.value)}</p>}
      <button
        type="button"
        class={form === 'polya' ? 'main' : ''}
        data-form={form}
        disabled={missing || busy || (isOther && size.value.value === undefined)}
        aria-label={`${say.download}: ${title}`}
        onClick={onSave}
      >
        {say.download}
      </button>
    </li>
  );
}

/** The lines that serve the model and ask it: about what was typed, or about the first row. */
function served(columns: readonly { readonly name: string }[]): string {
  const example = firstRow(columns.map(({ name }) => name));
  return repeat(opened.value, profile.value, run.value, settings.value, typed.value, example).curl;
}

async function contentOf(form: Form, own: Uint8Array<ArrayBuffer>): Promise<BlobPart> {
  if (form === 'polya') return own;
  if (form !== 'report') return desk.ask('export', [form]);
  const shown = run.value!;
  return lab.ask('report', [shown.id, fitLine(opened.value!, profile.value, shown.settings, shown.features)]);
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
