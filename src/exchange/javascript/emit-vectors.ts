import type { Plan, TextInput } from '../plan.ts';
import type { PlanAnalysis, PlanVector, TermVector, WeighVector } from '../plan-vectors.ts';
import { inputsCode, textCode } from './emit-inputs.ts';
import { numberLiteral, stringLiteral } from './literals.ts';
import type { ModuleText } from './module.ts';

/** Program text for a vector, and whether it is a list of all numbers or { at, of } of those that are not zero. */
export interface VectorCode {
  readonly code: string;
  readonly form: 'list' | 'sparse';
}

/** The vectors of a plan under the names v0, v1 … as other program text may ask for them. */
export class VectorCodes {
  readonly lines: string[] = [];
  private readonly forms: VectorCode['form'][] = [];
  private readonly module: ModuleText;
  private readonly plan: Plan;

  constructor(module: ModuleText, plan: Plan) {
    this.module = module;
    this.plan = plan;
    plan.vectors.forEach((vector, k) => {
      const { code, form } = this.codeOf(vector);
      this.lines.push(`const v${k} = ${code};`);
      this.forms.push(form);
    });
  }

  /** A vector as a list of all of its numbers. */
  list(k: number): string {
    if (this.forms[k] === 'list') return `v${k}`;
    return this.module.call('spread', `v${k}`, this.plan.vectors[k].width);
  }

  /** A vector as the cells that are not zero. */
  sparse(k: number): string {
    return this.forms[k] === 'sparse' ? `v${k}` : this.module.call('pack', `v${k}`);
  }

  private codeOf(vector: PlanVector): VectorCode {
    const { module, plan } = this;
    const sparse = (code: string): VectorCode => ({ code, form: 'sparse' });
    const list = (code: string): VectorCode => ({ code, form: 'list' });
    switch (vector.op) {
      case 'inputs':
        return list(
          inputsCode(
            module,
            plan,
            vector.inputs.map((k) => plan.inputs[k]),
          ),
        );
      case 'terms':
        return sparse(termsCode(module, vector, textCode(module, plan, plan.inputs[vector.input] as TextInput)));
      case 'weigh':
        return sparse(weighCode(module, vector, this.sparse(vector.from)));
      case 'root-share':
        return sparse(module.call('rootShare', this.sparse(vector.from)));
      case 'above':
        return sparse(module.call('above', this.sparse(vector.from), numberLiteral(vector.threshold)));
      case 'onehot':
        return sparse(module.call('hot', this.list(vector.from), module.numbers(vector.widths)));
      case 'join': {
        const widths = vector.from.map((k) => plan.vectors[k].width);
        const parts = vector.from.map((k) => this.sparse(k));
        return sparse(module.call('join', `[${parts.join(', ')}]`, `[${widths.join(', ')}]`));
      }
      case 'pick':
        return this.pickCode(vector.from, vector.columns);
      default:
        return list(this.cellwiseCode(vector));
    }
  }

  /** Columns in ascending order are picked from the cells that are not zero, others one by one. */
  private pickCode(from: number, columns: Uint32Array): VectorCode {
    const ascending = columns.every((j, k) => k === 0 || j > columns[k - 1]);
    if (this.forms[from] === 'sparse' && ascending) {
      const places = this.module.constant(columns, () => `new Map([${columns.join(', ')}].map((j, k) => [j, k]))`);
      return { code: this.module.call('pickSome', `v${from}`, places), form: 'sparse' };
    }
    const all = this.list(from);
    return { code: `[${Array.from(columns, (j) => `${all}[${j}]`).join(', ')}]`, form: 'list' };
  }

  private cellwiseCode(vector: Extract<PlanVector, { op: 'bin' | 'equal' | 'scale' | 'limit' }>): string {
    const { module } = this;
    const from = this.list(vector.from);
    if (vector.op === 'limit') {
      const unknown = { last: 'true', missing: 'false', refuse: 'undefined' }[vector.unknown];
      return module.call('limit', from, module.numbers(vector.levels), unknown, vector.missing === 'missing');
    }
    if (vector.op === 'bin') {
      const cells = vector.cuts.map((cuts, j) => {
        if (!cuts) return `${from}[${j}]`;
        const missing = vector.missing === 'last' ? cuts.length + 1 : 'NaN';
        return module.call('binOf', `${from}[${j}]`, module.numbers(cuts), missing);
      });
      return `[${cells.join(', ')}]`;
    }
    if (vector.op === 'equal') {
      const values = module.numbers(vector.values);
      return `${from}.map((x, j) => (Number.isNaN(x) || Number.isNaN(${values}[j]) ? x : Number(x === ${values}[j])))`;
    }
    const [mean, scale, fill] = [vector.mean, vector.scale, vector.fill].map((values) => module.numbers(values));
    return `${from}.map((x, j) => (Number.isNaN(x) ? ${fill}[j] : (x - ${mean}[j]) / ${scale}[j]))`;
  }
}

const CURVES = {
  raw: '(x) => x',
  binary: '() => 1',
  sqrt: 'Math.sqrt',
  log1p: 'Math.log1p',
  sublinear: '(x) => 1 + Math.log(x)',
} as const;

function weighCode(module: ModuleText, { tf, idf, norm }: WeighVector, from: string): string {
  const weights = idf ? module.numbers(idf) : 'null';
  return module.call('weigh', from, CURVES[tf], weights, norm === 'l2' ? 2 : norm === 'l1' ? 1 : 0);
}

function termsCode(module: ModuleText, vector: TermVector, text: string): string {
  const { analysis, terms, signed, binary, width } = vector;
  const found = analysisCode(module, analysis, text);
  if (!terms) return module.call('hashTerms', found, width, signed, binary);
  const columns = module.constant(vector, () => `new Map(${termList(module, terms)}.map((term, j) => [term, j]))`);
  return module.call('countTerms', found, columns, binary);
}

/** The name of a constant list of terms. */
export function termList(module: ModuleText, terms: readonly string[]): string {
  return module.constant(terms, () => `[${terms.map(stringLiteral).join(',')}]`);
}

/** Program text for the terms of a text: clean, split, leave out, put together. */
function analysisCode(module: ModuleText, analysis: PlanAnalysis, text: string): string {
  const { unit, normalize, lowercase, stripAccents, words, stopWords, ngrams } = analysis;
  let code = text;
  if (normalize) code = `${code}.normalize("${normalize}")`;
  if (lowercase) code = `${code}.toLowerCase()`;
  if (stripAccents) code = module.call(stripAccents === 'ascii' ? 'stripToAscii' : 'stripMarks', code);
  if (unit === 'char') return module.call('characterGrams', code, ...ngrams);
  if (unit === 'char_wb') return module.call('wordCharacterGrams', code, ...ngrams);
  if (words.kind === 'runs') code = module.call('plainWords', code);
  else if (words.kind === 'segments') code = module.call('segmentWords', code);
  else {
    const pattern = module.constant(
      words,
      () => `new RegExp(${stringLiteral(words.source)}, ${stringLiteral(words.flags)})`,
    );
    code = module.call('matches', code, pattern);
  }
  if (stopWords.length > 0) {
    const stops = module.constant(stopWords, () => `new Set([${stopWords.map(stringLiteral).join(',')}])`);
    code = `${code}.filter((word) => !${stops}.has(word))`;
  }
  return ngrams[1] > 1 ? module.call('wordGrams', code, ...ngrams) : code;
}
