import type { Form } from '../core/form.ts';
import { refuse } from '../errors.ts';
import type { Urns } from './urn.ts';
import type { UrnFit } from './urn-likelihood.ts';

const FORMS: readonly UrnFit['form'][] = ['dcm', 'edcm', 'multinomial'];

/** The urns, how each was fitted, and the lengths of the documents of all classes one after another. */
export const urnForm: Form<Urns, { readonly complement: boolean }> = {
  arrays: {
    logPrior: ['log', 'classes'],
    alpha: ['weight', 'classes', 'features'],
    precision: ['scale', 'classes'],
    form: ['place', 'classes'],
    fitted: ['weight', 'classes'],
    iterations: ['weight', 'classes'],
    converged: ['share', 'classes'],
    sizes: ['place', 'classes'],
    lengths: ['weight', 'any'],
    weights: ['weight', 'any'],
  },
  pack: ({ logPrior, alpha, precision, fits, lengths }) => ({
    logPrior,
    alpha,
    precision,
    form: Float64Array.from(fits, ({ form }) => FORMS.indexOf(form)),
    fitted: Float64Array.from(fits, (fit) => fit.precision),
    iterations: Float64Array.from(fits, (fit) => fit.iterations),
    converged: Float64Array.from(fits, (fit) => Number(fit.converged)),
    sizes: Float64Array.from(lengths, ({ values }) => values.length),
    lengths: Float64Array.from(lengths.flatMap(({ values }) => [...values])),
    weights: Float64Array.from(lengths.flatMap(({ weights }) => [...weights])),
  }),
  unpack(packed, { classes, features }, { complement }) {
    const { logPrior, alpha, precision, form, fitted, iterations, converged, sizes } = packed;
    let at = 0;
    const lengths = Array.from(sizes, (size) => {
      const [from, to] = [at, (at += size)];
      return { values: packed.lengths.slice(from, to), weights: packed.weights.slice(from, to) };
    });
    const whole = at === packed.lengths.length && at === packed.weights.length && !sizes.includes(-1);
    if (!whole || form.some((kind) => FORMS[kind] === undefined)) return undefined;
    const fits = Array.from(form, (kind, c) => {
      return { form: FORMS[kind], precision: fitted[c], iterations: iterations[c], converged: converged[c] === 1 };
    });
    const own = function (this: Urns) {
      return complement ? refuseOwn() : this;
    };
    return { classes, features, logPrior, alpha, precision, fits, complement, lengths, own };
  },
};

const refuseOwn = (): never =>
  refuse('E_CONFLICT', 'this model was saved slim, with the urns of complements alone: load the full file instead', {
    slim: true,
  });
