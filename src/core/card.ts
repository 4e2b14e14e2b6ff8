import type { Label } from '../data/labels.ts';
import { type Dtype, dtypeOf } from '../data/safetensors.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { decodeFile, type State } from './artifact.ts';
import type { Provenance } from './provenance.ts';

/** One estimator of a model file, as the file describes it. */
export interface ModelPart {
  readonly kind: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  /** The class labels, if the step has its own. */
  readonly classes: readonly Label[] | undefined;
  /** The number of columns or terms, if the step has a fixed number. */
  readonly features: number | undefined;
  /** Saved without counts. */
  readonly slim: boolean;
  readonly steps: readonly ModelPart[];
}

/** Summary of a model file. `classes` and `features` are those of the step that classifies. */
export interface ModelCard extends ModelPart {
  readonly formatVersion: number;
  /** The size of the file in bytes. */
  readonly bytes: number;
  /** The verified checksum of the content. */
  readonly sha256: string;
  /** Undefined for files of format 1. */
  readonly provenance: Provenance | undefined;
  /** The largest change of a log-parameter caused by rounding to float32; undefined if nothing was rounded. */
  readonly largestError: number | undefined;
  readonly arrays: readonly {
    readonly name: string;
    readonly dtype: Dtype;
    readonly shape: readonly number[];
    readonly bytes: number;
  }[];
}

/** Reads and checks a model file and summarizes it, without building a model. */
export function inspectModel(bytes: Uint8Array | ArrayBuffer): ModelCard {
  const { version, sha256, state } = decodeFile(bytes);
  const part = partOf(state);
  const all = allOf(part);
  const errors = statesOf(state).flatMap(({ learned: { largestError: error } }) =>
    typeof error === 'number' ? [error] : [],
  );
  return {
    ...part,
    classes: all.findLast(({ classes }) => classes)?.classes,
    features: all.findLast(({ features }) => features !== undefined)?.features,
    slim: all.some(({ slim }) => slim),
    formatVersion: version,
    bytes: bytes.byteLength,
    sha256,
    provenance: state.provenance,
    largestError: errors.length > 0 ? errors.reduce((most, error) => Math.max(most, error)) : undefined,
    arrays: arraysOf(state, ''),
  };
}

const allOf = (part: ModelPart): ModelPart[] => [...part.steps.flatMap(allOf), part];
const statesOf = (state: State): State[] => [state, ...(state.steps ?? []).flatMap(statesOf)];

function partOf({ kind, params, learned, arrays, steps = [] }: State): ModelPart {
  const inside = steps.map(partOf);
  const { classes = (learned.report as { classes?: JsonValue } | null | undefined)?.classes, columns } = learned;
  // for a classifier of records, the columns it reads
  const read = kind === 'Classifier' && Array.isArray(columns) ? columns.flat().length : undefined;
  const features = learned.features ?? read ?? (arrays.ends ?? arrays.df)?.data.length;
  return {
    kind,
    params,
    classes: Array.isArray(classes) && classes.length > 0 ? (classes as Label[]) : undefined,
    features: typeof features === 'number' ? features : undefined,
    slim: learned.slim === true,
    steps: inside,
  };
}

function arraysOf({ arrays, steps = [] }: State, path: string): ModelCard['arrays'] {
  const own = Object.entries(arrays).map(([name, { shape, data }]) => {
    return { name: path + name, dtype: dtypeOf(data), shape, bytes: data.byteLength };
  });
  return [...own, ...steps.flatMap((step, k) => arraysOf(step, `${path}${k}/`))];
}
