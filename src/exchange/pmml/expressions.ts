import type { Elementwise } from '../lower/algebra.ts';
import { type Expression, ExpressionAlgebra, type ExpressionWriter, type Places } from '../lower/expressions.ts';
import { lowerScore } from '../lower/scores.ts';
import { type RowReader, TensorVectors } from '../lower/vectors.ts';
import type { Plan, PlanScore } from '../plan.ts';
import type { Fields } from './fields.ts';
import { cannotSay, element, escaped } from './xml.ts';

/** An element of PMML that computes a value; a field or a constant is used as it is. */
interface Computed extends Expression {
  readonly simple?: boolean;
  /** Whether it is a condition rather than a number. */
  readonly logical?: boolean;
}

const LOGICAL = new Set(['lessThan', 'lessOrEqual', 'equal', 'and', 'or', 'not', 'isMissing', 'isIn']);

const functions: Readonly<Record<Elementwise, string>> = {
  ...{ add: '+', sub: '-', mul: '*', div: '/', max: 'max', min: 'min' },
  ...{ less: 'lessThan', lessOrEqual: 'lessOrEqual', equal: 'equal', and: 'and', or: 'or', not: 'not' },
  ...{ exp: 'exp', log: 'ln', ln: 'ln', sqrt: 'sqrt', abs: 'abs', floor: 'floor', sin: 'sin' },
};

/** Longer expressions become derived fields before others are made of them. */
const LONG = 400;

/** More numbers would make documents of many megabytes. */
const MOST = 10_000;

const call = (name: string, ...operands: readonly string[]) => element('Apply', { function: name }, operands);
const constant = (value: string | number | boolean, dataType: string) =>
  `<Constant dataType="${dataType}">${escaped(String(value))}</Constant>`;

type PmmlAlgebra = ExpressionAlgebra<Computed>;

/** Expressions of PMML, in derived fields. */
class PmmlWriter implements ExpressionWriter<Computed> {
  /** The derived fields, each of fields before it. */
  readonly derived: string[] = [];
  readonly required: Computed[] = [];
  private readonly known = new Map<string, string>();

  literal(value: number | boolean): Computed {
    const nullable = Number.isNaN(value);
    if (nullable) return { text: '<Constant dataType="double" missing="true"/>', nullable, simple: true };
    const logical = typeof value === 'boolean';
    return { text: constant(value, logical ? 'boolean' : 'double'), nullable, simple: true, logical };
  }

  write(op: Elementwise, ...operands: readonly Computed[]): Computed {
    return this.applied(functions[op], operands);
  }

  branch(test: Computed, yes: Computed, no: Computed): Computed {
    return this.applied('if', [test, yes, no]);
  }

  isMissing(x: Computed): Computed {
    return this.applied('isMissing', [x]);
  }

  /** A function; comparisons with a missing number are false. */
  private applied(name: string, operands: readonly Computed[]): Computed {
    const logical = LOGICAL.has(name);
    const missing = operands.some(({ nullable }) => nullable);
    const mapMissingTo = missing && logical && name !== 'isMissing' ? 'false' : undefined;
    const text = element('Apply', { function: name, mapMissingTo }, operands.map((own) => own.text)); // biome-ignore format: short
    return { text, nullable: missing && !logical, logical };
  }

  column(x: Computed): Computed {
    return x.simple ? x : { ...x, text: element('FieldRef', { field: this.field(x) }), simple: true };
  }

  /** The name of the derived field with this value. */
  field({ text, logical }: Computed): string {
    const before = this.known.get(text);
    if (before !== undefined) return before;
    const name = `v${this.derived.length} (computed)`;
    const [optype, dataType] = logical ? ['categorical', 'boolean'] : ['continuous', 'double'];
    this.derived.push(element('DerivedField', { name, optype, dataType }, [text]));
    this.known.set(text, name);
    return name;
  }

  brief(x: Computed): Computed {
    return x.text.length > LONG ? this.column(x) : x;
  }

  /** PMML cannot copy rows: rows that need more than one copy get no result. */
  sumOver(
    a: PmmlAlgebra,
    times: Places<Computed>,
    _most: number,
    carried: readonly Places<Computed>[],
    score: (copy: Places<Computed>, carried: readonly Places<Computed>[]) => Places<Computed>,
  ): Places<Computed> {
    a.require(a.lessOrEqual(times, 1));
    return score(a.constant([0]), carried);
  }

  require(condition: Computed): void {
    this.required.push(condition);
  }

  afford(what: string, unit: string, count: number): void {
    if (count > MOST) cannotSay(`${what} over ${count} ${unit}`, `a document holds ${MOST} at the most`);
  }

  canKeep(count: number): boolean {
    return count <= MOST;
  }
}

/** The cells of the fields of a document. */
const fieldCells = (a: PmmlAlgebra, fields: Fields): RowReader<Places<Computed>> => ({
  numbers: (input) =>
    a.of(
      fields.of(input).map((name) => ({ text: element('FieldRef', { field: name }), nullable: true, simple: true })),
    ),
  words(input, codes, other) {
    const [name] = fields.of(input);
    const isTrimmed = input.match === 'trimmed';
    const given = isTrimmed ? fields.trimmed(name) : name;
    const isMissing = call('isMissing', element('FieldRef', { field: name }));
    const word = element('FieldRef', { field: given });
    const blank = call('equal', call('stringLength', word), constant(0, 'integer'));
    const { absent = [] } = input;
    const listed = absent.length > 0 && call('isIn', word, ...absent.map((own) => constant(own, 'string')));
    const isGone = listed ? call('or', blank, listed) : blank;
    const gap = isTrimmed ? call('if', isMissing, constant(true, 'boolean'), isGone) : isMissing;
    const code = codes.length === 0 ? other : { text: mapped(codes, given, other), nullable: true };
    return { gap: a.keep(a.of([{ text: gap, nullable: false, logical: true }])), code: a.keep(a.of([code])) };
  },
  counts: () => cannotSay('texts', 'it has no character n-grams and no rule for words; count terms first'),
});

/** Words to codes by a table. */
function mapped(codes: readonly (readonly [word: string, code: number])[], field: string, other: number): string {
  const rows = codes.map(([word, code]) => `<row><level>${escaped(word)}</level><code>${code}</code></row>`);
  const defaultValue = Number.isNaN(other) ? undefined : other;
  return element('MapValues', { outputColumn: 'code', dataType: 'double', defaultValue }, [
    element('FieldColumnPair', { field, column: 'level' }),
    element('InlineTable', {}, rows),
  ]);
}

/** The derived fields of a plan, and for each class the table whose sum is ln p(c | x), up to what all classes share. */
export function scoreTables(plan: Plan, fields: Fields): { derived: readonly string[]; tables: readonly string[] } {
  const writer = new PmmlWriter();
  const algebra = new ExpressionAlgebra<Computed>(writer);
  const vectors = new TensorVectors(algebra, plan, fieldCells(algebra, fields));
  const linear = linearSum(plan.score);
  const numbers = linear ? vectors.vector(linear.vector) : lowerScore(algebra, plan.score, vectors);
  const sound = writer.required.reduce((all, own) => algebra.and(all, algebra.of([own])), algebra.constant([true]));
  const answers = algebra.expressions(algebra.where(sound, numbers, Number.NaN));
  const names = answers.map((own) => writer.field(own));
  const tables = plan.classes.map((label, c) => {
    const weights = linear ? names.map((_, j) => linear.weights[j * plan.classes.length + c]) : [1];
    const predictors = weights.map((coefficient, j) =>
      element('NumericPredictor', { name: names[linear ? j : c], coefficient }),
    );
    const intercept = linear?.start[c] ?? 0;
    return element('RegressionTable', { intercept, targetCategory: String(label) }, predictors);
  });
  return { derived: [...fields.texts, ...writer.derived], tables };
}

/** A score that is linear in the numbers of one vector; undefined for others, and where a weight is not finite. */
function linearSum(score: PlanScore) {
  const sum = score.op === 'posterior' ? score.of : undefined;
  if (sum?.op !== 'sum' || sum.terms.length > 1) return undefined;
  const [term] = sum.terms;
  if (term.op !== 'linear' || ![...sum.start, ...term.weights].every(Number.isFinite)) return undefined;
  return { start: sum.start, vector: term.vector, weights: term.weights };
}
