import { type ClassifierParts, fitSteps } from '../auto/classifier-fit.ts';
import { ColumnPredictor } from '../auto/classifier-predictors.ts';
import type { Predictor } from '../auto/predictor.ts';
import { ColumnPool, type Fitted, type Part } from '../auto/records-pool.ts';
import { inferSchema, type SchemaColumn, schemaOfAll } from '../auto/schema.ts';
import { finishAsync } from '../auto/steps.ts';
import type { DataRow } from '../data/cells.ts';
import type { Label } from '../data/labels.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { stepOf } from '../engines/sql/frame.ts';
import { countUnchanged } from '../engines/sql/grouped.ts';
import { refuse, show } from '../errors.ts';
import { estimators } from '../estimators/load.ts';
import { requireSameClasses } from './classes.ts';
import type { EngineClassifierOptions } from './classifier.ts';
import { type EngineCounts, setCounts } from './engine-counts.ts';
import { drawSample } from './sample.ts';
import type { EngineRows, Opened } from './source.ts';
import { countTable } from './tables.ts';
import { countTextPool } from './text-pool.ts';
import { viewTable } from './views.ts';

/**
 * Learns an ensemble from a table: it is chosen by held-out log-loss on a sample that the engine draws, with the bins
 * and scales of that sample, and its members are then counted on all rows inside the engine.
 */
export async function ensembleParts(
  { target, features, weight, signal }: EngineRows,
  options: EngineClassifierOptions,
  opened: Opened,
): Promise<ClassifierParts> {
  if (weight !== undefined) refuse('E_PARAM', '"weight" is for one family: name a model', { name: 'weight' });
  const readable = opened.features.filter((own) => own.kind !== 'other' || refuseAsked(own, features));
  const columns = { ...opened, features: readable };
  const { records, labels, total } = await drawSample(stepOf(columns, 0, 2));
  const rows: DataRow[] = records.map((record, i) => ({ ...record, [target]: labels[i] }));
  const own = {
    ...options,
    model: 'auto',
    target,
    kinds: { ...options.kinds, ...withoutSigns(rows, target, features, options.kinds) },
    ...(features && { features: readable.map(({ name }) => name) }),
  } as const;
  const chosen = await finishAsync(fitSteps(rows, own), { signal }, () => new Promise((go) => setTimeout(go)));
  const predictors = await countUnchanged(stepOf(columns, 1, 2), (own) => countAll(chosen, own));
  const schema = schemaOfAll(chosen.report.schema, total, chosen.classes.length);
  return { ...chosen, predictors, report: { ...chosen.report, schema } };
}

/** Counts the members of an ensemble on all rows. */
async function countAll({ predictors, classes, report }: ClassifierParts, opened: Opened): Promise<Predictor[]> {
  const schema = new Map(report.schema.columns.map((own) => [own.name, own]));
  const counted: Predictor[] = [];
  for (const [k, predictor] of predictors.entries()) {
    const state = predictor.saved();
    const step = stepOf(opened, k, predictors.length);
    const columns = predictor.columns.map(({ name }) => schema.get(name) as SchemaColumn);
    if (state.kind === 'ColumnPool') {
      const pool = await countColumnPool(ColumnPool.fromState(state), columns, classes, step);
      counted.push(new ColumnPredictor(pool, columns, classes));
    } else {
      const column = opened.features.find(({ name }) => name === columns[0].name) as EngineColumn;
      counted.push(await countTextPool(state, step, column, classes));
    }
  }
  return counted;
}

/** A pool whose estimators have the counts of all rows. Estimators of one statistic and one view share a count. */
async function countColumnPool(
  pool: ColumnPool,
  columns: readonly SchemaColumn[],
  classes: readonly Label[],
  opened: Opened,
): Promise<ColumnPool> {
  const known = new Map<string, Promise<EngineCounts>>();
  const all = pool.members.flatMap(({ parts }) => parts);
  const countPart = async (part: Part): Promise<Part> => {
    const { estimator, view } = part;
    const step = stepOf(opened, all.indexOf(part), all.length);
    const rounding = withoutReproducible(estimator);
    const shape = JSON.stringify([rounding.model.statistic.name, view, shapedBy(rounding)]);
    const counting = known.get(shape) ?? countTable(rounding, viewTable(step, columns, view));
    known.set(shape, counting);
    const found = await counting;
    requireSameClasses(found.classes, classes);
    return {
      estimator: setCounts(rounding, { ...found, names: undefined, classes: [...classes.keys()] }),
      view,
    };
  };
  const members = [];
  for (const member of pool.members) {
    const parts: Part[] = [];
    for (const part of member.parts) parts.push(await countPart(part));
    members.push(member.over(parts, classes.length));
  }
  return new ColumnPool(members, pool.pool, pool.curves, pool);
}

/** An unfitted estimator whose sums are rounded as engines round them. */
function withoutReproducible(estimator: Fitted): Fitted {
  const { reproducible: _, ...params } = estimator.getParams() as Record<string, unknown>;
  const kinds = estimators as unknown as Readonly<Record<string, new (params: unknown) => Fitted>>;
  return new kinds[estimator.kind](params);
}

/** The parameters that decide what is counted: k-dependence counts in the context of its parents. */
const shapedBy = (estimator: Fitted): unknown => (estimator.getParams() as { parents?: unknown }).parents ?? null;

/** Columns of lists are left out, unless they are asked for. */
function refuseAsked({ name, type }: EngineColumn, features: EngineRows['features']): false {
  if (!features) return false;
  return refuse('E_TYPE', `column ${show(name)} is of type ${type}, which an engine does not count`, {
    column: name,
    actual: type,
  });
}

/** Texts that spell numbers with signs are left out, since engines read them in other ways. */
function withoutSigns(
  rows: readonly DataRow[],
  target: string,
  features: EngineRows['features'],
  kinds: EngineClassifierOptions['kinds'] = {},
): Record<string, 'ignored'> {
  const found = inferSchema(rows, { target, ...(features && { features }) });
  const unread = found.columns.filter(({ name, role, format }) => {
    return role === 'feature' && !Object.hasOwn(kinds, name) && format?.numbers !== undefined;
  });
  for (const { name } of unread) if (features?.includes(name)) refuseSigns(name);
  return Object.fromEntries(unread.map(({ name }) => [name, 'ignored']));
}

function refuseSigns(name: string): never {
  return refuse(
    'E_ENGINE_CAPABILITY',
    `an engine does not read the signs in the numbers of column ${show(name)}: make numbers of them in the engine, or fit from a file`,
    { column: name },
  );
}
