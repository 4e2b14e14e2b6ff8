import type { RecordColumn } from '../../auto/record-check.ts';
import type { DataRow } from '../../data/cells.ts';
import { flattenRow } from '../../data/flatten.ts';
import { NameCheck } from '../../data/names.ts';
import { type ErrorDetails, PolyaError, refuse, show } from '../../errors.ts';

/** What a client asks about: a text, cells by name, or cells in the order of the columns. */
export type Instance = string | DataRow | readonly unknown[];

/** Refuses an instance that does not have the form the model asks for. */
function refuseAt(pointer: string, sentence: string): never {
  return refuse('E_BAD_REQUEST', sentence, { pointer });
}

/** `a/b` as one step of a JSON pointer. RFC 6901 (2013), §3. */
export const pointerStep = (name: string): string => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');

/** Reads instances as they come out of JSON as records. Whether a record fits the model is for the model to say. */
export class InstanceReader {
  readonly columns: readonly RecordColumn[];
  private readonly names: NameCheck;

  constructor(columns: readonly RecordColumn[]) {
    this.columns = columns;
    const optional = columns.filter((column) => column.optional).map(({ name }) => name);
    this.names = new NameCheck({ names: columns.map(({ name }) => name), optional: new Set(optional) });
  }

  /** Instances as records with named cells; `within` is the part of the request that they are in. */
  records(instances: readonly Instance[], within = 'instances'): DataRow[] {
    return instances.map((instance, i) => {
      if (typeof instance === 'string') return { [this.onlyText(i, within)]: instance };
      if (Array.isArray(instance)) return this.named(instance, i, within);
      if (typeof instance === 'object' && instance !== null) return flattenRow(instance as DataRow);
      return refuseAt(`/${within}/${i}`, `instance ${i} is ${show(instance)}; give a text, an object or an array`);
    });
  }

  /** The cells of instances in the order of the columns; null for those that are left out. */
  cells(instances: readonly Instance[], strict: boolean, within?: string): unknown[][] {
    return this.records(instances, within).map((row, i) => {
      if (strict) this.names.check(row, { row: i });
      return this.columns.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : null));
    });
  }

  /** Does some work with instances. A refusal that names a row gets the JSON pointer of its cell. */
  pointed<T>(instances: readonly Instance[], work: () => T, within = 'instances'): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PolyaError) || 'pointer' in error.details) throw error;
      const { row } = error.details;
      if (typeof row !== 'number' || !(row in instances)) throw error;
      const step = error.code === 'E_FEATURE_MISSING' ? undefined : this.stepOf(instances[row], error.details);
      const pointer = `/${within}/${row}${step === undefined ? '' : `/${pointerStep(step)}`}`;
      throw new PolyaError(error.code, error.message, { ...error.details, pointer }, error);
    }
  }

  /** The key of the cell that a refusal is about, or its index in an array. */
  private stepOf(instance: Instance, { column, feature }: ErrorDetails): string | undefined {
    if (typeof instance === 'string') return undefined;
    const { columns } = this;
    const only = columns.length === 1 ? columns[0].name : undefined;
    const name = typeof feature === 'string' ? feature : typeof column === 'number' ? columns[column]?.name : only;
    return Array.isArray(instance) ? String(columns.findIndex((own) => own.name === name)) : name;
  }

  private onlyText(i: number, within: string): string {
    const [first, ...others] = this.columns;
    if (first?.kind === 'text' && others.length === 0) return first.name;
    const names = this.columns.slice(0, 10).map(({ name }) => show(name));
    const sentence = `instance ${i} is a plain text, but the model reads ${names.join(', ') || 'numbers'}; give an object`;
    return refuseAt(`/${within}/${i}`, sentence);
  }

  private named(cells: readonly unknown[], i: number, within: string): DataRow {
    const { columns } = this;
    if (cells.length !== columns.length) {
      refuse('E_FEATURE_COUNT', `instance ${i} has ${cells.length} cells, the model reads ${columns.length}`, {
        pointer: `/${within}/${i}`,
        row: i,
        expected: columns.length,
        actual: cells.length,
      });
    }
    const row: Record<string, unknown> = Object.create(null);
    columns.forEach(({ name }, j) => {
      row[name] = cells[j];
    });
    return row;
  }
}
