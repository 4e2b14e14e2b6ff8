import { type ErrorDetails, refuse, show } from '../errors.ts';
import { suggest } from './suggest.ts';

/** Which named columns a model accepts. */
export interface KnownNames {
  /** The columns that it reads. */
  readonly names: readonly string[];
  /** Columns among them that may be missing. */
  readonly optional?: ReadonlySet<string> | 'all' | undefined;
  /** Columns that it does not read but accepts, such as the target. */
  readonly others?: ReadonlySet<string> | undefined;
  /** Whether any further column is accepted. */
  readonly extra?: 'error' | 'ignore' | undefined;
  /** What the caller can do about an error. */
  readonly advice?: string | undefined;
}

/** Checks the names in a record, or in a table of columns, against those that a model accepts. */
export class NameCheck {
  private readonly known: KnownNames;
  private readonly set: ReadonlySet<string>;
  private readonly required: readonly string[];

  constructor(known: KnownNames) {
    const { names, optional } = known;
    this.known = known;
    this.set = new Set(names);
    this.required = optional === 'all' ? [] : names.filter((name) => !optional?.has(name));
  }

  /** Throws for a missing or extra column. A name whose value is undefined counts as missing, as in JSON. */
  check(given: Readonly<Record<string, unknown>>, where: ErrorDetails = {}): void {
    for (const name of this.required) {
      if (!Object.hasOwn(given, name) || given[name] === undefined) this.refuseMissing(name, given, where);
    }
    if (this.known.extra === 'ignore') return;
    for (const name of Object.keys(given)) if (!this.isKnown(name)) this.refuseUnknown(name, given, where);
  }

  private isKnown(name: string): boolean {
    return this.set.has(name) || this.known.others?.has(name) === true;
  }

  private refuseMissing(feature: string, given: object, where: ErrorDetails): never {
    const near = suggest(
      feature,
      Object.keys(given).filter((name) => !this.isKnown(name)),
    );
    const meant = near === undefined ? this.advice : `; it has ${show(near)}: did you mean ${show(feature)}?`;
    return refuse('E_FEATURE_MISSING', `${place(where)}column ${show(feature)} is missing${meant}`, {
      feature,
      ...(near !== undefined && { near }),
      ...where,
    });
  }

  private refuseUnknown(feature: string, given: object, where: ErrorDetails): never {
    const { names } = this.known;
    const near = suggest(
      feature,
      names.filter((name) => !Object.hasOwn(given, name)),
    );
    const list = `; it reads ${names.slice(0, 10).map(show).join(', ')}${names.length > 10 ? ', …' : ''}`.slice(0, 300);
    const meant = near === undefined ? list + this.advice : `; did you mean ${show(near)}?`;
    return refuse('E_FEATURE_UNKNOWN', `${place(where)}column ${show(feature)} is not part of the model${meant}`, {
      feature,
      ...(near !== undefined && { near }),
      ...where,
    });
  }

  private get advice(): string {
    const { advice } = this.known;
    return advice === undefined ? '' : `; ${advice}`;
  }
}

const place = ({ row }: ErrorDetails): string => (row === undefined ? '' : `row ${row}: `);
