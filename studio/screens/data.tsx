import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { bytes } from '../../src/workbench.ts';
import { Column } from '../data/column.tsx';
import { Rows } from '../data/rows.tsx';
import { asBefore, chooseTarget, forgetChoice, openEncoded } from '../open.ts';
import { Bars } from '../parts/bars.tsx';
import { Choice } from '../parts/choice.tsx';
import { colourOf } from '../parts/colours.ts';
import { asCsv, download } from '../parts/download.ts';
import { Empty } from '../parts/empty.tsx';
import { Table } from '../parts/table.tsx';
import { type Opened, textEncodings } from '../protocol.ts';
import { go } from '../route.ts';
import { change, opened, profile, refused, settings, work } from '../state.ts';
import { noticed, percent, texts, whole } from '../texts/index.ts';
import { train } from '../train.ts';

/** The Data screen: what was read, and how it was interpreted. */
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
          {texts.value.named(`${say.why} ${data.format}`, texts.value.library.reason(data.reason))}
        </span>
      </p>
      <Encoding data={data} />
      <Bad data={data} />
      <Target data={data} />
      <Warnings />
      <h2>{say.columns}</h2>
      <p class="soft">{say.columnsHint}</p>
      <div class="cards">
        {profile.value?.columns.slice(0, 200).map((column) => (
          <Column key={column.name} column={column} rows={data.rows} />
        ))}
      </div>
      <datalist id="known-labels">
        {profile.value?.target?.classes.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <Rows />
    </>
  );
}

/** The text encoding; choosing another one reads the file again. */
function Encoding({ data: { encoding, source } }: { data: Opened }): JSX.Element | null {
  const { data: say } = texts.value;
  if (encoding === '' || source !== 'files') return null;
  const names = textEncodings.map((name) => [name, name === encoding ? `${name} (${say.inUse})` : name] as const);
  return (
    <div class="row">
      <Choice
        label={say.encoding}
        value={encoding}
        options={names}
        onChange={(name) => openEncoded(name).catch(refused)}
      />
      <span class="soft">{say.encodingHint}</span>
    </div>
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
          options={[
            ...(target ? [] : [['', '–'] as const]),
            ...[...new Set([...data.columns, ...(target ? [target.name] : [])])].map((name) => [name, name] as const),
          ]}
          onChange={(name) => name !== '' && chooseTarget(name)}
        />
        <button
          type="button"
          class="main"
          disabled={!target || target.classes.length < 2 || work.value !== undefined}
          onClick={() => train()}
        >
          {say.train}
        </button>
        <span class="soft">{say.hint}</span>
      </div>
      {target && target.classes.length > 0 ? (
        <>
          <Why guessed={target.guessed} reason={target.reason} />
          <Balance />
        </>
      ) : (
        <p>{target ? say.noLabels : say.none}</p>
      )}
      <Split />
      {(!target || target.missing > 0) && <ByHand target={target?.name} missing={target?.missing ?? data.rows} />}
    </section>
  );
}

/** The column that marks training and test rows, where there is one. */
function Split(): JSX.Element | null {
  const { data: say } = texts.value;
  const marked = (profile.value?.columns ?? []).filter(({ kind }) => kind === 'split').map(({ name }) => name);
  const { splitColumn } = settings.value;
  if (marked.length === 0 && splitColumn === '') return null;
  return (
    <div class="row">
      <Choice
        label={say.split}
        value={splitColumn}
        options={[
          ['', say.splitRandom],
          ...[...new Set([...marked, ...(splitColumn ? [splitColumn] : [])])].map(
            (name) => [name, say.splitBy(name)] as const,
          ),
        ]}
        onChange={(name) => change({ splitColumn: name })}
      />
      <span class="soft">{say.splitHint(marked[0] ?? splitColumn)}</span>
    </div>
  );
}

/** Offers labelling if rows have no label. */
function ByHand({ target, missing }: { target: string | undefined; missing: number }): JSX.Element {
  const { data: say } = texts.value;
  const name = useSignal('label');
  const begin = async () => {
    if (target === undefined) await chooseTarget(name.value.trim() || 'label');
    go('label');
  };
  return (
    <p class="row">
      {target === undefined && (
        <label class="field">
          <span>{say.newColumn}</span>
          <input type="text" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </label>
      )}
      <button type="button" data-by-hand onClick={() => begin().catch(refused)}>
        {say.byHand}
      </button>
      <span class="soft">{say.unlabelled(whole(missing))}</span>
    </p>
  );
}

/** Explains the choice of the target, or that earlier choices were restored. */
function Why({ guessed, reason }: { guessed: boolean; reason: string }): JSX.Element {
  const { data: say } = texts.value;
  if (!asBefore.value) {
    return (
      <p>
        {guessed && <mark>{say.guessed}</mark>} <span>{say.because(texts.value.library.reason(reason))}</span>
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
  const bars = classes.slice(0, 12).map(({ value, rows, share }) => ({
    ...{ name: value, share, fill: colourOf(sorted.indexOf(value)) },
    shown: `${whole(rows)} (${percent(share)})`,
  }));
  return <Bars label={texts.value.data.balance} bars={bars} />;
}

function Warnings(): JSX.Element | null {
  const { data: say } = texts.value;
  const duplicates = profile.value?.duplicates ?? 0;
  const most = duplicates > (opened.value?.rows ?? 0) / 2; // then they are not copies, and are split one by one
  const renamed = opened.value?.renamed ?? [];
  const result = [
    ...(renamed.length > 0 ? [say.renamed(renamed.join(', '))] : []),
    ...(duplicates > 0 ? [(most ? say.alike : say.duplicates)(whole(duplicates))] : []),
    ...(profile.value?.warnings ?? []).filter(({ kind }) => kind !== 'duplicates').map(noticed),
  ];
  if (result.length === 0) return null;
  return (
    <section class="warnings">
      <h2>{say.warnings}</h2>
      <ul>
        {result.map((sentence) => (
          <li key={sentence}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Rows that could not be read; shown first. */
function Bad({ data: { bad, name } }: { data: Opened }): JSX.Element | null {
  const { data: say } = texts.value;
  if (bad.length === 0) return null;
  const heads = [say.line, say.reason];
  const rows = bad.map(({ line, reason }) => [line, texts.value.library.badRow(reason)] as const);
  const title = say.bad(whole(bad.length));
  return (
    <section class="warnings" data-bad={bad.length}>
      <h2>{title}</h2>
      <p>
        <bdi>{texts.value.named(`${say.line} ${bad[0].line}`, rows[0][1])}</bdi>
      </p>
      <details>
        <summary>{say.badAll}</summary>
        <Table label={title} heads={heads} rows={rows.slice(0, 100)} />
        <button type="button" onClick={() => download(`${name}.rejects.csv`, asCsv({ heads, rows }), 'text/csv')}>
          CSV
        </button>
      </details>
    </section>
  );
}
