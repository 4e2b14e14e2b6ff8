import type { Words } from '../lower/inputs.ts';
import type { RowReader } from '../lower/vectors.ts';
import { isWholeRow } from '../names.ts';
import type { LevelInput, NumberInput, Plan, PlanInput, TermVector } from '../plan.ts';
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

/** The columns of a plan as inputs of a graph. */
export class GraphInputs implements RowReader<GraphTensor> {
  readonly notes: InputNote[] = [];
  private readonly graph: Graph;
  private readonly plan: Plan;
  private readonly text: TextInput | undefined;
  private readonly float: boolean;
  private readonly texts = new Map<PlanInput, string>();
  private readonly names = new Set<string>();

  constructor(graph: Graph, plan: Plan, options: { text: TextInput | undefined; float: boolean }) {
    this.graph = graph;
    this.plan = plan;
    this.text = options.text;
    this.float = options.float;
  }

  numbers(input: NumberInput | LevelInput): GraphTensor {
    const { graph } = this;
    if (input.date) cannotTranslate(`the dates in ${input.name}`);
    const tensor = (name: string, width = 1): GraphTensor => ({ shape: [width], name, rows: true, gaps: true });
    if (input.kind === 'number') {
      const { width, missing, name, bits } = input;
      const holds = `${bits ? '1 and 0' : 'numbers'}${missing === 'refuse' ? '' : ', NaN where missing'}`;
      return tensor(this.doubles(isWholeRow(this.plan, input) ? 'X' : name, input, width, holds), width);
    }
    if (typeof input.levels !== 'number') return tensor(this.cell(input, 'double', 'numbers, NaN where missing'));
    const code = graph.cast(this.cell(input, 'int64', 'whole numbers from 0, -1 where missing'), 'double');
    return tensor(graph.node('Where', [graph.node('Less', [code, graph.double(0)]), graph.double(Number.NaN), code]));
  }

  words(input: LevelInput, codes: readonly (readonly [string, number])[], other: number): Words<GraphTensor> {
    const { graph } = this;
    if (input.date) cannotTranslate(`the dates in ${input.name}`);
    const { missing, match, absent = [] } = input;
    const blank = missing !== 'refuse' && codes.every(([word]) => word !== '');
    const holds = `${match === 'trimmed' ? 'words without blanks around them' : 'words'}${blank ? ', empty where missing' : ''}`;
    const value = this.cell(input, 'string', holds);
    const gone = [...absent, ...(blank ? [''] : [])];
    const keys = [...codes.map(([word]) => word), ...gone];
    const tensor = (name: string): GraphTensor => ({ shape: [1], name, rows: true, gaps: Number.isNaN(other) });
    // without keys the same for every row
    const place =
      keys.length === 0
        ? graph.node('Expand', [graph.columns([0]), graph.node('Shape', [value])])
        : graph.node(
            'LabelEncoder',
            [value],
            { keys_strings: keys, values_int64s: keys.map((_, k) => k), default_int64: keys.length },
            'ai.onnx.ml',
          );
    const found = (values: readonly number[]) => graph.node('Gather', [graph.doubles(values), place], { axis: 0 });
    const isGone = found([...codes.map(() => 0), ...gone.map(() => 1), 0]);
    return {
      gap: tensor(graph.node('Equal', [isGone, graph.double(1)])),
      code: tensor(found([...codes.map(([, code]) => code), ...gone.map(() => other), other])),
    };
  }

  /** The counts of terms, as a table of doubles. */
  counts(vector: TermVector): GraphTensor {
    const input = this.plan.inputs[vector.input];
    const mode = textInputOf(vector, this.text);
    const holds = 'counts of terms, in the order of the terms';
    const counted = () => this.doubles('X', input, vector.width, holds, vector.terms ?? undefined);
    const tokens = () => this.declare('tokens', input, 'string', -1, 'tokens, padded with a string that is no token');
    const text = () => this.declare('text', input, 'string', undefined, 'texts');
    const named = (name: string) => ({ shape: [vector.width], name, rows: true, gaps: false });
    if (mode === 'counts') return named(counted());
    const given = this.texts.get(input) ?? (mode === 'tokens' ? tokens() : text());
    this.texts.set(input, given);
    return named(termCounts(this.graph, vector, mode, given));
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
