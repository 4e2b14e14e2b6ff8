import { JsonFault, type JsonValue, parseStrictJson } from '../data/strict-json.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import type { Estimator } from '../estimators/load.ts';
import { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';

import { linearDiscriminantOf, quadraticDiscriminantOf } from './sklearn/discriminant.ts';
import { anything, Entries, finite, list, type Read, refuseFormat, text } from './sklearn/entries.ts';
import { bernoulliOf, categoricalOf, complementOf, gaussianOf, multinomialOf } from './sklearn/naive-bayes.ts';
import { countVectorizerOf, hashingVectorizerOf, tfidfTransformerOf, tfidfVectorizerOf } from './sklearn/text.ts';

/** One class of scikit-learn: from its parameters and what it has learned to an estimator of Pólya. */
type Reader = (params: Entries, learned: Entries) => Step;

const readers = new Map<string, Reader>([
  ['BernoulliNB', bernoulliOf],
  ['CategoricalNB', categoricalOf],
  ['ComplementNB', complementOf],
  ['CountVectorizer', countVectorizerOf],
  ['GaussianNB', gaussianOf],
  ['HashingVectorizer', hashingVectorizerOf],
  ['LinearDiscriminantAnalysis', linearDiscriminantOf],

  ['MultinomialNB', multinomialOf],
  ['QuadraticDiscriminantAnalysis', quadraticDiscriminantOf],
  ['TfidfTransformer', tfidfTransformerOf],
  ['TfidfVectorizer', tfidfVectorizerOf],
]);

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
  const document = new Entries(typeof json === 'string' ? parse(json) : json, 'the document');
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

function parse(json: string): JsonValue {
  try {
    return parseStrictJson(json);
  } catch (cause) {
    const reason = cause instanceof JsonFault ? cause.message : 'it is damaged';
    return refuse('E_FORMAT', `the document cannot be read: ${reason}`, {}, cause);
  }
}

/** One estimator; undefined for a step that passes everything through. */
const readModel: Read<Step | undefined> = (value, where) => {
  const entries = new Entries(value, where);
  const kind = entries.take('class', text);
  if (kind === 'passthrough') {
    entries.close();
    return undefined;
  }
  if (kind === 'Pipeline') return readPipeline(entries);
  const reader = readers.get(kind) ?? refuseFormat(`the class ${show(kind)} of scikit-learn is not known here`, kind);
  const params = new Entries(entries.take('params', anything), `the parameters of ${kind}`);
  const learned = new Entries(entries.take('learned', anything), `the ${kind}`);
  entries.close();
  const step = consistent(kind, () => reader(params, learned));
  params.close();
  learned.close();
  return step;
};

/** Reports an inconsistent estimator state as an error of the document. */
function consistent<T>(kind: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof PolyaError && cause.code.startsWith('E_MODEL'))) throw cause;
    return refuse('E_FORMAT', `the numbers of the ${kind} are inconsistent: ${cause.message}`, { name: kind }, cause);
  }
}

function readPipeline(entries: Entries): Step {
  const steps = entries.take('steps', list(readStep));
  entries.close();
  return new Pipeline(steps.filter((pair): pair is [string, Step] => pair[1] !== undefined)) as unknown as Step;
}

const readStep: Read<[string, Step | undefined]> = (value, where) => {
  if (!Array.isArray(value) || value.length !== 2) return refuseFormat(`${where} is no pair of name and step`, where);
  const name = text(value[0], where);
  return [name, readModel(value[1], `step ${show(name)}`)];
};
