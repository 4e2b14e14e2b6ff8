import { JsonFault, type JsonValue, parseStrictJson } from '../data/strict-json.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import type { Estimator } from '../estimators/load.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { discriminants } from './sklearn/discriminant.ts';
import {
  about,
  anything,
  Entries,
  type Field,
  finite,
  knownOf,
  list,
  refuseFormat,
  type SklearnClass,
  text,
  type ValuesOf,
} from './sklearn/fields.ts';
import { naiveBayes } from './sklearn/naive-bayes.ts';
import { vectorizers } from './sklearn/text.ts';

/** The classes of scikit-learn that can be read and written. */
export const classes: ReadonlyMap<string, SklearnClass> = new Map(
  Object.entries({ ...naiveBayes, ...discriminants, ...vectorizers }),
);

const FORMAT = 'polya-sklearn';
const VERSION = 1;

/** The supported releases of scikit-learn. */
const RELEASES = /^1\.[2-9]\.\d+/;

/**
 * A fitted model of scikit-learn as an estimator of Pólya, from the JSON that examples/export_sklearn.py writes. It predicts what
 * scikit-learn predicted, within 1e-12. Where scikit-learn stores counts, they are imported and the model can learn further; discriminants
 * and idf are imported as parameters and can only predict. Unknown classes throw, with their name.
 */
export function fromSklearn<Kind = Estimator>(json: string | JsonValue): Kind {
  const document = new Entries(typeof json === 'string' ? parseJson(json) : json, 'the document');
  const format = document.take('format', anything);
  if (format !== FORMAT)
    refuseFormat(`the document is not of the format ${FORMAT}, which export_sklearn.py writes`, 'format');
  const version = document.take('version', finite);
  if (version !== VERSION)
    refuseFormat(`the document has format version ${version}, this release reads ${VERSION}`, 'version');
  const release = document.take('sklearn', text);
  if (!RELEASES.test(release)) {
    refuseFormat(`the model is of scikit-learn ${show(release)}; releases 1.2 to 1.9 are known`, 'sklearn');
  }
  const model = document.take('model', readModel);
  document.close();
  return (model ?? refuseFormat('the document holds no model but passthrough', 'model')) as Kind;
}

/** Parses a document; repeated keys and deep nesting are refused. */
export function parseJson(json: string): JsonValue {
  try {
    return parseStrictJson(json);
  } catch (cause) {
    const reason = cause instanceof JsonFault ? cause.message : 'it is damaged';
    return refuse('E_FORMAT', `the document cannot be read: ${reason}`, {}, cause);
  }
}

/** One estimator; undefined for a step that passes everything through. */
const readModel: Field<Step | undefined> = (value, where) => {
  const entries = new Entries(value, where);
  const kind = entries.take('class', text);
  if (kind === 'passthrough') {
    entries.close();
    return undefined;
  }
  if (kind === 'Pipeline') return readPipeline(entries);
  const own = classes.get(kind) ?? refuseFormat(`the class ${show(kind)} of scikit-learn is not known here`, kind);
  const params = new Entries(entries.take('params', anything), `the parameters of ${kind}`);
  const learned = new Entries(entries.take('learned', anything), `the ${kind}`);
  entries.close();
  const nothing = { classes: [], features: 0 };
  const known = own.classifies ? knownOf(learned.all(about, '_', nothing) as ValuesOf<typeof about>) : nothing;
  const [given, , taught] = [
    params.all(own.params, '', known),
    params.all(own.fixed, '', known),
    learned.all(own.learned, '_', known),
  ];
  params.close();
  learned.close();
  return consistent(kind, () => own.make(given as never, taught as never, known));
};

/** Reports an inconsistent estimator state as an error of the document. */
function consistent<T>(kind: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof PolyaError && /^E_(MODEL|VALUE_RANGE)/.test(cause.code))) throw cause;
    return refuse('E_FORMAT', `the numbers of the ${kind} are inconsistent: ${cause.message}`, { name: kind }, cause);
  }
}

function readPipeline(entries: Entries): Step {
  const steps = entries.take('steps', list(readStep));
  entries.close();
  return new Pipeline(steps.filter((pair): pair is [string, Step] => pair[1] !== undefined)) as unknown as Step;
}

const readStep: Field<[string, Step | undefined]> = (value, where, known) => {
  if (!Array.isArray(value) || value.length !== 2) return refuseFormat(`${where} is no pair of name and step`, where);
  const name = text(value[0], where, known);
  return [name, readModel(value[1], `step ${show(name)}`, known)];
};
