import type { JSX } from 'preact';
import { bytes } from '../../src/cli/numbers.ts';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { asCsv, download } from '../parts/download.ts';
import { Empty } from '../parts/empty.tsx';
import { Table } from '../parts/table.tsx';
import type { ColumnCard, Opened } from '../protocol.ts';
import { chooseTarget, opened, profile, settings, train, work } from '../state.ts';
import { percent, texts, three, whole } from '../texts/index.ts';

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
          {say.why} {data.format}: {data.reason}
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
          <p>
            {target.guessed && <mark>{say.guessed}</mark>} <span>{say.because(target.reason)}</span>
          </p>
          <Balance />
        </>
      ) : (
        <p>{say.none}</p>
      )}
    </section>
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
    ...(profile.value?.warnings ?? []).filter((sentence) => !/rows are (copies of|like) others/.test(sentence)),
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

const KINDS = ['number', 'category', 'boolean', 'text', 'ignored'] as const;

function Column({ column, rows }: { column: ColumnCard; rows: number }): JSX.Element {
  const { data: say } = texts.value;
  const { name, kind, role, missing, distinct, information, typicalLength } = column;
  const chosen = settings.value.kinds[name] ?? '';
  const setKind = (value: string) => {
    const { [name]: _, ...others } = settings.value.kinds;
    settings.value = { ...settings.value, kinds: value === '' ? others : { ...others, [name]: value } };
  };
  const found = say.kinds[kind as keyof typeof say.kinds] ?? kind;
  return (
    <section class={`card column ${role}`}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {role === 'target' ? (
        <p class="soft">{say.target}</p>
      ) : (
        <Choice
          label={`${say.kind}: ${found}`}
          value={chosen}
          options={[['', `${say.asFound}: ${found}`], ...KINDS.map((own) => [own, say.kinds[own]] as const)]}
          onChange={setKind}
        />
      )}
      <Spark column={column} rows={rows} />
      <p class="soft">
        {[
          say.distinct(whole(distinct)),
          ...(missing > 0 ? [say.missing(whole(missing))] : []),
          ...(typicalLength !== undefined ? [say.typical(whole(typicalLength))] : []),
          ...(information !== undefined ? [say.information(three(information))] : []),
        ].join(' · ')}
      </p>
    </section>
  );
}

/** A histogram or the most frequent values, small. */
function Spark({ column: { histogram, top, name }, rows }: { column: ColumnCard; rows: number }): JSX.Element | null {
  if (histogram) {
    const { bars, from, to } = histogram;
    const most = Math.max(...bars, 1);
    const label = `${name}: ${from.toPrecision(4)} … ${to.toPrecision(4)}`;
    return (
      <svg class="spark" viewBox={`0 0 ${bars.length} 20`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((bar, k) => (
          <rect key={k} x={k} y={20 - (20 * bar) / most} width="0.9" height={(20 * bar) / most} fill="currentColor" />
        ))}
      </svg>
    );
  }
  if (!top) return null;
  return (
    <ul class="bars small">
      {top.slice(0, 4).map(({ value, rows: own }) => (
        <li key={value}>
          <bdi>{value || '∅'}</bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(100 * own) / rows} height="8" fill="currentColor" />
          </svg>
          <span class="number">{percent(own / rows)}</span>
        </li>
      ))}
    </ul>
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
