import { codesOf } from '../inputs.ts';
import type { Inputs } from '../lower/vectors.ts';
import { isWholeRow } from '../names.ts';
import type { Fallback, LevelInput, NumberInput, Plan, PlanInput, TermVector } from '../plan.ts';
import type { GraphTensor } from './algebra.ts';
import { cannotTranslate, type Graph } from './graph.ts';
import type { TensorType } from './tensor.ts';
import { type TextInput, termCounts, textInputOf } from './text.ts';

/** The name and content of an input of the graph, for the metadata of the file. */
export interface InputNote {
  readonly input: string;
  readonly column: string;
  /** Where the cells of the column are lists: which of their elements this is. */
  readonly element?: number;
  readonly holds: string;
  /** Of counts: the terms, in the order of the columns; a hash has none. */
  readonly terms?: readonly string[];
}

/** The inputs of a plan as inputs of a graph, declared on demand. */
export class GraphInputs implements Inputs<GraphTensor> {
  readonly notes: InputNote[] = [];
  private readonly graph: Graph;
  private readonly plan: Plan;
  private readonly text: TextInput | undefined;
  private readonly float: boolean;
  private readonly known = new Map<PlanInput | TermVector, string>();
  private readonly names = new Set<string>();

  constructor(graph: Graph, plan: Plan, options: { text: TextInput | undefined; float: boolean }) {
    this.graph = graph;
    this.plan = plan;
    this.text = options.text;
    this.float = options.float;
  }

  /** The numbers of an input, as a table of doubles. */
  numbers(input: PlanInput): GraphTensor {
    const gaps =
      input.kind !== 'text' && (input.missing === 'missing' || (input.kind === 'level' && input.unknown === 'missing'));
    if (input.kind !== 'text' && input.date) cannotTranslate(`the dates in ${input.name}`);
    const make = () => (input.kind === 'level' ? this.level(input) : this.number(input as NumberInput));
    const shape = [input.kind === 'number' ? input.width : 1];
    return { shape, name: this.once(input, make), rows: true, gaps };
  }

  /** The counts of terms, as a table of doubles. */
  counts(vector: TermVector): GraphTensor {
    const input = this.plan.inputs[vector.input];
    const mode = textInputOf(vector, this.text);
    const holds = 'counts of terms, in the order of the terms';
    const counted = () => this.doubles('X', input, vector.width, holds, vector.terms ?? undefined);
    const tokens = () => this.declare('tokens', input, 'string', -1, 'tokens, padded with a string that is no token');
    const text = () => this.declare('text', input, 'string', undefined, 'texts');
    const name =
      mode === 'counts'
        ? this.once(vector, counted)
        : termCounts(this.graph, vector, mode, this.once(input, mode === 'tokens' ? tokens : text));
    return { shape: [vector.width], name, rows: true, gaps: false };
  }

  private once(key: PlanInput | TermVector, make: () => string): string {
    const value = this.known.get(key) ?? make();
    this.known.set(key, value);
    return value;
  }

  private number(input: NumberInput): string {
    const { width, missing, name, bits } = input;
    const holds = `${bits ? '1 and 0' : 'numbers'}${missing === 'refuse' ? '' : ', NaN where missing'}`;
    const value = this.doubles(isWholeRow(this.plan, input) ? 'X' : name, input, width, holds);
    if (typeof missing !== 'number') return value;
    return this.graph.node('Where', [this.graph.node('IsNaN', [value]), this.graph.double(missing), value]);
  }

  /** A level as its number: words by a table, whole numbers as they are. What the library refuses is NaN. */
  private level(input: LevelInput): string {
    const { graph } = this;
    const { levels, missing, unknown } = input;
    const code = (rule: Fallback) => (typeof rule === 'number' ? rule : Number.NaN);
    const choose = (test: string, yes: string | number, no: string): string =>
      graph.node('Where', [test, typeof yes === 'number' ? graph.double(yes) : yes, no]);
    if (typeof levels === 'number') {
      const value = this.cell(input, 'int64', 'whole numbers from 0, -1 where missing');
      const number = graph.cast(value, 'double');
      const known = choose(graph.node('Less', [number, graph.double(levels)]), number, graph.double(code(unknown)));
      return choose(graph.node('Less', [number, graph.double(0)]), code(missing), known);
    }
    if (levels.length === 0 || levels.some((level) => typeof level !== 'number')) return this.wordLevel(input, code);
    // 1 where a number equals a level, times its code
    const number = this.cell(input, 'double', 'numbers, NaN where missing');
    const [values, codes] = [[...codesOf(input).keys()] as number[], [...codesOf(input).values()]];
    const equal = graph.cast(graph.node('Equal', [number, graph.doubles(values, 1, values.length)]), 'double');
    const found = graph.node('MatMul', [equal, graph.doubles(codes, codes.length, 1)]);
    const count = graph.node('ReduceSum', [equal, graph.integers(1)], { keepdims: 1 });
    const known = choose(graph.node('Greater', [count, graph.double(0)]), found, graph.double(code(unknown)));
    return choose(graph.node('IsNaN', [number]), code(missing), known);
  }

  private wordLevel(input: LevelInput, code: (rule: Fallback) => number): string {
    const { graph } = this;
    const { missing, unknown, match, absent = [] } = input;
    const codes = [...codesOf(input)].map(([word, own]) => [String(word), own] as const);
    const blank = missing !== 'refuse' && codes.every(([word]) => word !== '');
    const holds = `${match === 'trimmed' ? 'words without blanks around them' : 'words'}${blank ? ', empty where missing' : ''}`;
    const value = this.cell(input, 'string', holds);
    const gone = [...absent, ...(blank ? [''] : [])];
    const keys = [...codes.map(([word]) => word), ...gone];
    // the same number for every row
    if (keys.length === 0) return graph.node('Expand', [graph.double(code(unknown)), graph.node('Shape', [value])]);
    const table = [...codes.map(([, own]) => own), ...gone.map(() => code(missing)), code(unknown)];
    const place = graph.node(
      'LabelEncoder',
      [value],
      { keys_strings: keys, values_int64s: keys.map((_, k) => k), default_int64: keys.length },
      'ai.onnx.ml',
    );
    return graph.node('Gather', [graph.doubles(table), place], { axis: 0 });
  }

  /** One cell of every row. */
  private cell(input: LevelInput, type: TensorType, holds: string): string {
    const { name, element } = input;
    return this.declare(
      element === undefined ? name : `${name}_${element}`,
      input,
      type,
      1,
      holds,
      element === undefined ? {} : { element },
    );
  }

  private declare(
    name: string,
    { name: column }: PlanInput,
    type: TensorType,
    columns: number | undefined,
    holds: string,
    about: Pick<InputNote, 'element' | 'terms'> = {},
  ): string {
    const value = this.graph.input(this.free(name), type, columns);
    this.notes.push({ input: value, column, holds, ...about });
    return value;
  }

  /** Doubles, from numbers of 32 bits where these were asked for. */
  private doubles(name: string, input: PlanInput, columns: number, holds: string, terms?: readonly string[]): string {
    const value = this.declare(name, input, this.float ? 'float' : 'double', columns, holds, terms && { terms });
    return this.float ? this.graph.cast(value, 'double') : value;
  }

  /** A name that is an identifier and not taken: the name of the column where it is one. */
  private free(name: string): string {
    const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^[ct]\d+$/.test(name) && !RESERVED.has(name);
    let own = plain ? name : `column_${this.names.size}`;
    while (this.names.has(own)) own = `${own}_`;
    this.names.add(own);
    return own;
  }
}

/** The names of outputs. */
const RESERVED = new Set(['label', 'probabilities']);
