import { codesOf } from '../inputs.ts';
import type { Elementwise } from '../lower/algebra.ts';
import { type Expression, ExpressionAlgebra, type ExpressionWriter, type Places } from '../lower/expressions.ts';
import { lowerScore } from '../lower/scores.ts';
import { type Inputs, TensorVectors } from '../lower/vectors.ts';
import type { Fallback, LevelInput, NumberInput, Plan, PlanInput, PlanScore } from '../plan.ts';
import { type Fields, isText } from './fields.ts';
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

/** The inputs of a plan as fields of PMML. Rows that the library rejects get no result. */
class PmmlInputs implements Inputs<Places<Computed>> {
  private readonly a: PmmlAlgebra;
  private readonly plan: Plan;
  private readonly fields: Fields;

  constructor(algebra: PmmlAlgebra, plan: Plan, fields: Fields) {
    this.a = algebra;
    this.plan = plan;
    this.fields = fields;
  }

  numbers(input: PlanInput): Places<Computed> {
    const names = this.fields.of([this.plan.inputs.indexOf(input)]).map(({ name }) => name);
    if (input.kind === 'text') return this.counts();
    return this.a.concat(names.map((name) => (input.kind === 'level' ? this.level(input, name) : this.number(input, name)))); // biome-ignore format: one line
  }

  counts(): never {
    return cannotSay('texts', 'it has no character n-grams and no rule for words; count terms first');
  }

  private field(name: string): Places<Computed> {
    return this.a.of([{ text: element('FieldRef', { field: name }), nullable: true, simple: true }]);
  }

  /** A value, and what stands for it where it is missing. */
  private unless(gap: Places<Computed>, rule: Fallback, value: Places<Computed>): Places<Computed> {
    const { a } = this;
    if (rule === 'refuse') a.require(a.not(gap));
    const filled = a.keep(a.where(gap, typeof rule === 'number' ? rule : Number.NaN, value));
    const [own] = a.expressions(filled);
    return a.of([{ ...own, nullable: rule === 'missing' || (rule !== 'refuse' && a.mayMiss(value)) }]);
  }

  private number({ missing, least, most, lenient }: NumberInput, name: string): Places<Computed> {
    const { a } = this;
    const x = this.field(name);
    const bounds = [
      ...(least > -Number.MAX_VALUE ? [a.lessOrEqual(least, x)] : []),
      ...(most < Number.MAX_VALUE ? [a.lessOrEqual(x, most)] : []),
    ];
    const fits = bounds.reduce((all, own) => a.and(all, own), a.constant([true]));
    if (!lenient) a.require(a.or(a.missing(x), fits));
    const [known] = a.expressions(lenient ? a.where(fits, x, Number.NaN) : x);
    const value = a.keep(a.of([{ ...known, nullable: true }]));
    return this.unless(a.missing(value), missing, a.of([{ ...a.expressions(value)[0], nullable: false }]));
  }

  private level(input: LevelInput, name: string): Places<Computed> {
    const { a } = this;
    const { levels, missing, unknown, match, absent = [] } = input;
    const other = typeof unknown === 'number' ? unknown : Number.NaN;
    const codes = [...codesOf(input)];
    if (!isText(input)) {
      const x = this.field(name);
      if (typeof levels !== 'number') {
        const instead = a.constant([other]);
        const found = codes.reduceRight((rest, [own, code]) => a.where(a.equal(x, own as number), code, rest), instead);
        return this.known(a.missing(x), missing, unknown, found);
      }
      const whole = a.and(a.lessOrEqual(0, x), a.equal(x, a.floor(x)));
      a.require(a.or(a.missing(x), whole));
      return this.known(a.missing(x), missing, unknown, a.where(a.less(x, levels), x, other));
    }
    const isTrimmed = match === 'trimmed';
    const given = isTrimmed ? this.fields.trimmed(name) : name;
    const field = element('FieldRef', { field: given });
    const isMissing = call('isMissing', element('FieldRef', { field: name }));
    const blank = call('equal', call('stringLength', field), constant(0, 'integer'));
    const listed = absent.length > 0 ? [call('isIn', field, ...absent.map((word) => constant(word, 'string')))] : [];
    const isBlank = listed.length > 0 ? call('or', blank, ...listed) : blank;
    const isGone = isTrimmed ? call('if', isMissing, constant(true, 'boolean'), isBlank) : isMissing;
    const gap = a.keep(a.of([{ text: isGone, nullable: false, logical: true }]));
    const code = codes.length === 0 ? other : { text: mapped(codes, given, other), nullable: unknown === 'missing' };
    return this.known(gap, missing, unknown, a.of([code]));
  }

  private known(gap: Places<Computed>, missing: Fallback, unknown: Fallback, code: Places<Computed>): Places<Computed> {
    const { a } = this;
    const kept = a.keep(code);
    const [own] = a.expressions(kept);
    if (unknown === 'refuse') a.require(a.or(gap, a.not(a.missing(a.of([{ ...own, nullable: true }])))));
    return this.unless(gap, missing, a.of([{ ...own, nullable: unknown === 'missing' }]));
  }
}

/** Words to codes by a table. */
function mapped(codes: readonly (readonly [word: unknown, code: number])[], field: string, other: number): string {
  const rows = codes.map(([word, code]) => `<row><level>${escaped(String(word))}</level><code>${code}</code></row>`);
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
  const vectors = new TensorVectors(algebra, plan, new PmmlInputs(algebra, plan, fields));
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
