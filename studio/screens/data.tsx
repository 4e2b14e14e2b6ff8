import type { JSX } from 'preact';
import { bytes } from '../../src/cli/numbers.ts';
import { Column } from '../data/column.tsx';
import { asBefore, chooseTarget, forgetChoice } from '../open.ts';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { asCsv, download } from '../parts/download.ts';
import { Empty } from '../parts/empty.tsx';
import { Table } from '../parts/table.tsx';
import type { Opened } from '../protocol.ts';
import { opened, profile, refused, settings, work } from '../state.ts';
import { noticed, percent, texts, whole } from '../texts/index.ts';
import { train } from '../train.ts';

/** What was read, and what it was taken for. */
export default function Data(): JSX.Element {
  const data = opened.value;
  if (!data) return <Empty what="data" />;
  const { data: say } = texts.value;
  return (
    <>
      <p>
        <b>
          <bdi>{data.name}</bdi>
        </b>{' '}
        {say.facts(whole(data.rows), whole(data.columns.length), data.format, bytes(data.bytes))}
        <br />
        <span class="soft">
          {say.why} {data.format}: {texts.value.told.reason(data.reason)}
        </span>
      </p>
      <Target data={data} />
      <Warnings />
      <h2>{say.columns}</h2>
      <div class="cards">
        {profile.value?.columns.slice(0, 200).map((column) => (
          <Column key={column.name} column={column} rows={data.rows} />
        ))}
      </div>
      <h2>{say.rows}</h2>
      <Table label={say.rows} heads={data.columns.slice(0, 60)} rows={data.preview.map((row) => row.slice(0, 60))} />
      <Bad data={data} />
    </>
  );
}

function Target({ data }: { data: Opened }): JSX.Element {
  const { data: say } = texts.value;
  const target = profile.value?.target;
  return (
    <section class="card">
      <div class="row">
        <Choice
          label={say.target}
          value={settings.value.target}
          options={[...(target ? [] : [['', '–'] as const]), ...data.columns.map((name) => [name, name] as const)]}
          onChange={(name) => name !== '' && chooseTarget(name)}
        />
        <button type="button" class="main" disabled={!target || work.value !== undefined} onClick={() => train()}>
          {say.train}
        </button>
        <span class="soft">{say.hint}</span>
      </div>
      {target ? (
        <>
          <Why guessed={target.guessed} reason={target.reason} />
          <Balance />
        </>
      ) : (
        <p>{say.none}</p>
      )}
    </section>
  );
}

/** Why these columns are taken for what they are taken for. */
function Why({ guessed, reason }: { guessed: boolean; reason: string }): JSX.Element {
  const { data: say } = texts.value;
  if (!asBefore.value) {
    return (
      <p>
        {guessed && <mark>{say.guessed}</mark>} <span>{say.because(texts.value.told.reason(reason))}</span>
      </p>
    );
  }
  return (
    <p>
      <mark>{say.asBefore}</mark> <span>{say.beforeReason}</span>{' '}
      <button type="button" class="small" onClick={() => forgetChoice().catch(refused)}>
        {say.forget}
      </button>
    </p>
  );
}

/** The classes as bars. */
function Balance(): JSX.Element {
  const classes = profile.value?.target?.classes ?? [];
  const sorted = [...classes].map(({ value }) => value).sort();
  return (
    <ul class="bars" aria-label={texts.value.data.balance}>
      {classes.slice(0, 12).map(({ value, rows, share }) => (
        <li key={value}>
          <bdi>{value}</bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={100 * share} height="8" fill={colourOf(sorted.indexOf(value))} />
          </svg>
          <span class="number">
            {whole(rows)} ({percent(share)})
          </span>
        </li>
      ))}
    </ul>
  );
}

function Warnings(): JSX.Element | null {
  const { data: say } = texts.value;
  const duplicates = profile.value?.duplicates ?? 0;
  const most = duplicates > (opened.value?.rows ?? 0) / 2; // then they are no copies, and are split one by one
  const told = [
    ...(duplicates > 0 ? [(most ? say.alike : say.duplicates)(whole(duplicates))] : []),
    ...(profile.value?.warnings ?? []).filter(({ kind }) => kind !== 'duplicates').map(noticed),
  ];
  if (told.length === 0) return null;
  return (
    <section class="warnings">
      <h2>{say.warnings}</h2>
      <ul>
        {told.map((sentence) => (
          <li key={sentence}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bad({ data: { bad, name } }: { data: Opened }): JSX.Element | null {
  const { data: say } = texts.value;
  if (bad.length === 0) return null;
  const heads = [say.line, say.reason];
  const rows = bad.map(({ line, reason }) => [line, reason] as const);
  return (
    <section>
      <h2>{say.bad(whole(bad.length))}</h2>
      <Table label={say.bad(whole(bad.length))} heads={heads} rows={rows.slice(0, 100)} />
      <button type="button" onClick={() => download(`${name}.rejects.csv`, asCsv({ heads, rows }), 'text/csv')}>
        CSV
      </button>
    </section>
  );
}
