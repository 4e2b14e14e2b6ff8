import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { lowerScore } from './lower/scores.ts';
import { TensorVectors } from './lower/vectors.ts';
import { GraphAlgebra } from './onnx/algebra.ts';
import { Graph } from './onnx/graph.ts';
import { GraphInputs } from './onnx/inputs.ts';
import type { Constant } from './onnx/tensor.ts';
import type { TextInput } from './onnx/text.ts';
import { type Exportable, planOf } from './plan-of.ts';

/** How a model becomes a graph. */
export interface OnnxOptions {
  /**
   * The input for texts: 'string' reads the text itself, with operators of onnxruntime; 'tokens' reads words that the caller has
   * found; 'counts' reads a table of counts. By default 'string' where the operators find the same words in every text,
   * 'counts' otherwise.
   */
  readonly text?: TextInput | undefined;
  /** Use 32-bit inputs and outputs, as most programs do; the graph computes in doubles. Default: false. */
  readonly float?: boolean | undefined;
}

/**
 * A fitted model as the bytes of an ONNX file (operator set 18, ai.onnx.ml 3) with the outputs `label` and `probabilities`.
 * Computes in doubles. What ONNX cannot express is refused with E_CONFLICT; a row that the library refuses gives NaN.
 */
export function toOnnx(model: Exportable, options: OnnxOptions = {}): Uint8Array<ArrayBuffer> {
  const { text, float = false } = requireOptions('toOnnx', ['text', 'float'], options);
  const plan = planOf(model);
  const graph = new Graph();
  const inputs = new GraphInputs(graph, plan, { text, float });
  const algebra = new GraphAlgebra(graph);
  const scores = lowerScore(algebra, plan.score, new TensorVectors(algebra, plan, inputs));
  const { name: logProba } = algebra.sound(scores);
  const { classes } = plan;
  const best = graph.node('ArgMax', [logProba], { axis: 1, keepdims: 0, select_last_index: 0 });
  const labels = labelConstant(classes);
  graph.output('label', graph.node('Gather', [graph.constant(labels), best], { axis: 0 }), labels.type, undefined);
  const probabilities = graph.node('Exp', [logProba]);
  const type = float ? 'float' : 'double';
  graph.output('probabilities', float ? graph.cast(probabilities, 'float') : probabilities, type, classes.length);
  return graph.toBytes('polya', {
    model: plan.model,
    classes: JSON.stringify(classes),
    inputs: JSON.stringify(inputs.notes),
  });
}

/** The labels as a list of strings, whole numbers or flags. */
function labelConstant(classes: readonly Label[]): Constant {
  const type = { string: 'string', number: 'int64', boolean: 'bool' }[
    typeof classes[0] as 'string'
  ] as Constant['type'];
  return { type, shape: [classes.length], values: classes };
}
