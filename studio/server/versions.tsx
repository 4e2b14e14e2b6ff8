import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ServedDifference, ServedVersion } from '../../src/client.ts';
import { Table } from '../parts/table.tsx';
import { refused } from '../state.ts';
import { language, percent, texts, three, whole } from '../texts/index.ts';
import { client } from './connection.ts';

/** The versions of a served model: what changed since one, and back to it. */
export function Versions({ model, version }: { model: string; version: number }): JSX.Element {
  const { server: say } = texts.value;
  const all = useSignal<readonly ServedVersion[]>([]);
  const difference = useSignal<ServedDifference | undefined>(undefined);
  const wanted = useSignal<number | undefined>(undefined);
  const read = async () => {
    all.value = await client.model(model).versions();
  };
  useEffect(() => {
    difference.value = undefined;
    wanted.value = undefined;
    read().catch(refused);
  }, [model, version]);
  const compare = async (from: number) => {
    difference.value = await client.model(model).difference(from, { limit: 20 });
  };
  const back = async (to: number) => {
    if (wanted.value !== to) {
      wanted.value = to;
      return;
    }
    wanted.value = undefined;
    await client.model(model).rollback(to);
    await read();
  };
  const newest = all.value.at(-1)?.version;
  const rows = all.value
    .slice(-20)
    .reverse()
    .map((own) => [
      own.version,
      say.origins[own.origin],
      new Date(own.at).toLocaleString(language.value),
      whole(own.rows),
      {
        text: '',
        shown: own.kept && own.version !== newest && (
          <span class="row">
            <button type="button" class="small" onClick={() => compare(own.version).catch(refused)}>
              {say.compare}
            </button>
            <button
              type="button"
              class="small"
              data-back={own.version}
              onClick={() => back(own.version).catch(refused)}
            >
              {wanted.value === own.version ? say.sure : say.back}
            </button>
          </span>
        ),
      },
    ]);
  return (
    <section data-part="versions">
      <h2>{say.versions}</h2>
      <Table label={say.versions} heads={say.versionHeads} rows={rows} tools={false} />
      {difference.value && <Difference found={difference.value} />}
    </section>
  );
}

function Difference({ found }: { found: ServedDifference }): JSX.Element {
  const { server: say } = texts.value;
  const share = (value: number | null) => (value === null ? '–' : percent(value));
  return (
    <>
      <h3>{say.difference(String(found.from), String(found.to))}</h3>
      <Table
        label={say.classes}
        heads={say.shareHeads}
        rows={found.classes.map((own) => [own.class, share(own.before), share(own.after)])}
      />
      <Table
        label={say.moved}
        heads={say.movedHeads[found.unit]}
        rows={found.moved.map((own) => [own.feature, own.class, three(own.before), three(own.after)])}
      />
    </>
  );
}
