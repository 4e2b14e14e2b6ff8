import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import type { Limits } from './http/limits.ts';
import { inSlices } from './http/slices.ts';
import type { Instance } from './model/instances.ts';
import type { ModelStore, Served } from './model-store.ts';

/** The model of a name; refuses a name that there is none for. */
export function findModel(store: ModelStore, name: string): Served {
  const served = store.get(name);
  if (served) return served;
  const names = store.list().map((own) => own.name);
  const known = names.length > 0 ? `there are ${names.slice(0, 10).join(', ')}` : 'none is loaded';
  return refuse('E_NOT_FOUND', `there is no model ${show(name)}; ${known}`, { model: name });
}

/** The version that a change is meant for, from `If-Match`. */
export function wantedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const [, version] = /^"(\d{1,15})"$/.exec(header.trim()) ?? [];
  if (version === undefined) {
    refuse('E_BAD_REQUEST', `if-match is ${show(header)}; give the version in quotes, such as "17"`, {
      header: 'if-match',
    });
  }
  return Number(version);
}

/**
 * ln p(c | x) of many instances, computed in slices while other requests go on. Refuses if the model learns meanwhile: all rows are of one
 * version, or none.
 */
export async function scoreSlices(store: ModelStore, served: Served, instances: readonly Instance[]): Promise<Matrix> {
  const { name, version, model } = served;
  const cols = model.classes.length;
  const logProba = new Matrix(instances.length, cols);
  await inSlices(instances.length, (from, to) => {
    const now = store.get(name);
    if (now?.model === model && now.version !== version) {
      refuse('E_CONFLICT', 'the model has learned while it answered; try again', {
        expected: version,
        actual: now.version,
      });
    }
    logProba.data.set(model.predictLogProba(instances.slice(from, to)).data, from * cols);
  });
  return logProba;
}

/** Refuses more rows than one request may have. */
export function requireFew(rows: number, { rows: limit }: Limits): void {
  if (rows <= limit) return;
  refuse(
    'E_LIMIT',
    `the request has ${rows} rows, at most ${limit} are taken at once; send them as a stream of lines`,
    {
      limit,
      actual: rows,
    },
  );
}

/** Refuses a request whose answer would have too many probabilities, rows × classes. */
export function requireCells(rows: number, { model }: Served, { cells: limit }: Limits): void {
  const actual = rows * model.classes.length;
  if (actual <= limit) return;
  const sentence = `${rows} rows of ${model.classes.length} classes are ${actual} probabilities, at most ${limit} are answered at once; send fewer rows, or a stream of lines`;
  refuse('E_LIMIT', sentence, { limit, actual });
}
