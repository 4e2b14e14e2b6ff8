import { levelOffsets } from '../../stats/layout.ts';
import type { AodeTerm, ContextTerm, EachTerm, PlanTerm, QuadricTerm } from '../plan-terms.ts';
import type { VectorCodes } from './emit-vectors.ts';
import { numberLiteral } from './literals.ts';
import type { ModuleText } from './module.ts';

/** What a term is written with: the module, and its vector in both forms. */
interface Place {
  readonly module: ModuleText;
  readonly width: number;
  list(): string;
  sparse(): string;
  /** The names of constant lists. */
  numbers(...lists: readonly ArrayLike<number>[]): string[];
}

/** The arguments of the function of each term, behind the scores so far. */
const terms: EachTerm<[place: Place], readonly (string | number | boolean)[]> = {
  linear: ({ weights }, { sparse, numbers }) => ['linear', sparse(), ...numbers(weights)],
  coins: ({ logOdds, certain }, { sparse, numbers, width }) => ['coins', sparse(), width, ...numbers(logOdds, certain)],
  table: ({ levels, offsets, faces }, { list, numbers }) => ['table', list(), ...numbers(levels, offsets, faces)],
  bells({ mean, variance, df, logPeak }, { list, numbers }) {
    if (df.every((own) => own === Infinity)) return ['bells', list(), ...numbers(mean, variance, logPeak)];
    return ['tails', list(), ...numbers(mean, variance, df, logPeak)];
  },
  poisson({ cells, exposures }, { sparse, numbers }) {
    if (!exposures) return ['poisson', sparse(), ...numbers(cells)];
    return ['negativeBinomial', sparse(), ...numbers(cells, exposures)];
  },
  kernels({ kernels }, { module, list, numbers }) {
    const cells = kernels.map((kernel) => {
      if (!kernel) return 'null';
      const { points, weights, bandwidth, total } = kernel;
      return `[${[...numbers(points, weights), numberLiteral(bandwidth), numberLiteral(total)].join(', ')}]`;
    });
    return ['kernels', list(), module.constant(kernels, () => `[${cells.join(', ')}]`)];
  },
  planes({ rank, rows, origin, centres, marginals }, { list, numbers }) {
    const plain = [list(), rank, ...numbers(rows, origin, centres)];
    if (!marginals) return ['planes', ...plain];
    return ['gappedPlanes', ...plain, ...numbers(marginals.means, marginals.covariances[0] ?? [])];
  },
  quadrics(term, place) {
    const plain = [place.list(), formsCode(term, place)];
    const { marginals } = term;
    if (!marginals) return ['quadrics', ...plain];
    const [means, start] = place.numbers(marginals.means, marginals.start);
    const covariances = marginals.covariances.map((own) => (own ? place.numbers(own)[0] : 'null'));
    return ['gappedQuadrics', ...plain, means, `[${covariances.join(', ')}]`, start];
  },
  shift: ({ weights, constant }, { list, numbers }) => ['shift', list(), ...numbers(weights), numberLiteral(constant)],
  urns: ({ alpha, precision, edcm, complement }, { sparse, width, numbers }) => [
    'urns',
    sparse(),
    width,
    ...numbers(alpha, precision, edcm),
    complement,
  ],
  tree: ({ levels, parents, order, dice }, { list, numbers }) => [
    'tree',
    list(),
    ...numbers(levels, parents, order),
    `[${numbers(...dice).join(', ')}]`,
  ],
  aode: (term, place) => ['aode', place.list(), ensembleCode(term, place)],
  contexts: (term, place) => [
    'contexts',
    place.list(),
    ...place.numbers(term.levels),
    contextsCode(term, place),
    term.mostCombinations,
  ],
};

function formsCode({ forms }: QuadricTerm, { module, numbers }: Place): string {
  const codes = forms.map((form) => {
    if (!form) return 'null';
    const { rank, rows, mean, centre } = form;
    return `[${[rank, ...numbers(rows, mean), ...(centre ? numbers(centre) : ['null'])].join(', ')}]`;
  });
  return module.constant(forms, () => `[${codes.join(', ')}]`);
}

function ensembleCode(term: AodeTerm, { module }: Place): string {
  const offsets = levelOffsets(term.levels);
  const entries = {
    levels: module.numbers(term.levels),
    offsets: module.numbers(offsets),
    width: offsets[term.levels.length],
    frequency: module.numbers(term.frequency),
    weights: module.numbers(term.weights),
    minimumFrequency: numberLiteral(term.minimumFrequency),
    logPrior: module.numbers(term.logPrior),
    joint: module.numbers(term.logJoint),
    given: module.numbers(term.logGiven),
    unseen: module.numbers(term.logUnseen),
    alone: module.numbers(term.logAlone),
    unseenAlone: module.numbers(term.logUnseenAlone),
  };
  const code = Object.entries(entries).map(([name, value]) => `${name}: ${value}`);
  return module.constant(term, () => `{ ${code.join(', ')} }`);
}

function contextsCode({ features }: ContextTerm, { module, numbers }: Place): string {
  const codes = features.map(({ feature, parents, depths }) => {
    const own = depths.map(({ concentration, contexts, weights, values, shares }) => {
      const [first, second] = numbers(contexts, values).map((keys) => module.call('places', keys));
      const [n, p] = numbers(weights, shares);
      return `[${numberLiteral(concentration)}, ${first}, ${n}, ${second}, ${p}]`;
    });
    return `[${feature}, ${numbers(parents)[0]}, [${own.join(', ')}]]`;
  });
  return module.constant(features, () => `[${codes.join(', ')}]`);
}

/** Program text for scores with what a term adds to them. */
export function termCode(module: ModuleText, term: PlanTerm, vectors: VectorCodes, width: number, sum: string): string {
  const place: Place = {
    module,
    width,
    list: () => vectors.list(term.vector),
    sparse: () => vectors.sparse(term.vector),
    numbers: (...lists) => lists.map((values) => module.numbers(values)),
  };
  const [name, ...rest] = terms[term.op](term as never, place);
  return module.call(String(name), sum, ...rest);
}
