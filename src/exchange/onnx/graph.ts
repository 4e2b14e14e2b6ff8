import { refuse } from '../../errors.ts';
import { Message } from './protobuf.ts';
import { type Constant, type TensorType, tensorMessage, types, valueMessage } from './tensor.ts';

/** Refuses what ONNX cannot express. */
export function cannotTranslate(what: string): never {
  return refuse('E_CONFLICT', `ONNX cannot represent ${what}`, { target: 'ONNX', what });
}

/** The value of an attribute: a whole number, text, or a list of either. */
export type Attribute = number | string | readonly number[] | readonly string[];

/** Versions of the operator sets in use. */
const OPSETS: Readonly<Record<string, number>> = { '': 18, 'ai.onnx.ml': 3, 'com.microsoft': 1 };

/** The format version of the file, which these operator sets ask for. */
const IR_VERSION = 8;

function attributeMessage(name: string, value: Attribute): Message {
  const message = new Message().bytes(1, name);
  if (typeof value === 'number') return message.integer(3, value).integer(20, 2);
  if (typeof value === 'string') return message.bytes(4, value).integer(20, 3);
  if (typeof value[0] === 'string') {
    for (const item of value) message.bytes(9, String(item));
    return message.integer(20, 8);
  }
  for (const item of value) message.integer(8, Number(item));
  return message.integer(20, 7);
}

/** An ONNX graph under construction. Values have numbers for names, so that no name of the model can clash with them. */
export class Graph {
  private readonly nodes: Message[] = [];
  private readonly constants = new Map<string, Message>();
  private readonly used = new Set<string>();
  private readonly inputs: Message[] = [];
  private readonly outputs: Message[] = [];
  private readonly domains = new Set(['']);
  private readonly known = new Map<string, string>();
  private next = 0;

  /** Declares an input of the graph; `columns` is -1 where it varies and undefined for a list of one value per row. */
  input(name: string, type: TensorType, columns: number | undefined): string {
    this.inputs.push(valueMessage(name, type, columns));
    return name;
  }

  /** Names a value as an output of the graph. */
  output(name: string, from: string, type: TensorType, columns: number | undefined): void {
    this.add('Identity', [from], {}, name);
    this.outputs.push(valueMessage(name, type, columns));
  }

  /** A constant of the graph. */
  constant(constant: Constant): string {
    const name = `c${this.next++}`;
    this.constants.set(name, tensorMessage(name, constant));
    return name;
  }

  /** A constant of doubles: a list, or a tensor of this shape. */
  doubles(values: ArrayLike<number>, ...shape: readonly number[]): string {
    return this.constant({ type: 'double', shape: shape.length > 0 ? shape : [values.length], values });
  }

  /** One double that goes with every shape. */
  double(value: number): string {
    return this.shared(`double ${Object.is(value, -0) ? '-0' : value}`, { type: 'double', shape: [], values: [value] });
  }

  /** A list of whole numbers, such as axes. */
  integers(...values: readonly number[]): string {
    return this.shared(`int64 ${values.join()}`, { type: 'int64', shape: [values.length], values });
  }

  /** A list of columns. */
  columns(values: ArrayLike<number>): string {
    return this.constant({ type: 'int64', shape: [values.length], values });
  }

  private shared(key: string, constant: Constant): string {
    const name = this.known.get(key) ?? this.constant(constant);
    this.known.set(key, name);
    return name;
  }

  /** The result of an operator. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): string {
    return this.add(op, inputs, attributes, `t${this.next++}`, domain);
  }

  private add(
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
    output: string,
    domain = '',
  ): string {
    const message = new Message();
    for (const input of inputs) {
      message.bytes(1, input);
      this.used.add(input);
    }
    message.bytes(2, output).bytes(4, op);
    for (const [name, value] of Object.entries(attributes)) message.bytes(5, attributeMessage(name, value));
    if (domain) message.bytes(7, domain);
    this.domains.add(domain);
    this.nodes.push(message);
    return output;
  }

  /** A value of another type. */
  cast(value: string, type: TensorType): string {
    return this.node('Cast', [value], { to: types[type] });
  }

  /** The bytes of an ONNX file, with metadata about the model. */
  toBytes(name: string, notes: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
    const graph = new Message();
    for (const node of this.nodes) graph.bytes(1, node);
    graph.bytes(2, name);
    for (const [constant, message] of this.constants) if (this.used.has(constant)) graph.bytes(5, message);
    for (const input of this.inputs) graph.bytes(11, input);
    for (const output of this.outputs) graph.bytes(12, output);
    const model = new Message().integer(1, IR_VERSION).bytes(2, 'polya').bytes(7, graph);
    for (const domain of this.domains) {
      const version = new Message();
      if (domain) version.bytes(1, domain);
      model.bytes(8, version.integer(2, OPSETS[domain]));
    }
    for (const [key, value] of Object.entries(notes)) model.bytes(14, new Message().bytes(1, key).bytes(2, value));
    return model.toBytes();
  }
}
