import type { Static } from 'typebox';
import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import { refuse, show } from '../../errors.ts';
import { argmax } from '../../math/arrays.ts';
import type { Instance } from '../model/instances.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { tensor } from './inference-schema.ts';

type Tensor = Static<typeof tensor>;

const bad = (pointer: string, sentence: string): never => refuse('E_BAD_REQUEST', sentence, { pointer });

/** The instances that tensors hold: one tensor with all columns, or one for each column. */
export function instancesOf({ columns }: ServedModel, inputs: readonly Tensor[]): Instance[] {
  const rows = inputs[0].shape[0];
  inputs.forEach(({ name, shape }, k) => {
    if (shape[0] !== rows)
      bad(`/inputs/${k}/shape`, `${show(name)} has ${shape[0]} rows, ${show(inputs[0].name)} has ${rows}`);
  });
  const cells = inputs.map(cellsOf);
  if (inputs.length === 1 && (columns.length !== 1 || columns[0].kind === 'text')) {
    const width = widthOf(inputs[0]);
    if (columns.length === 1) {
      if (width !== 1) bad('/inputs/0/shape', `the model takes one text a row, the tensor has ${width}`);
      return cells[0] as string[];
    }
    if (width === columns.length || !columns.some(({ name }) => name === inputs[0].name)) {
      return Array.from({ length: rows }, (_, i) => cells[0].slice(i * width, (i + 1) * width));
    }
  }
  inputs.forEach((own, k) => {
    if (widthOf(own) !== 1)
      bad(`/inputs/${k}/shape`, `${show(own.name)} is one column; its shape is [rows] or [rows, 1]`);
  });
  return Array.from({ length: rows }, (_, i) => {
    const row: Record<string, unknown> = Object.create(null);
    inputs.forEach(({ name }, k) => {
      row[name] = cells[k][i];
    });
    return row;
  });
}

const widthOf = ({ shape }: Tensor): number => shape.slice(1).reduce((product, n) => product * n, 1);

/** The cells of a tensor in the order of rows, which must be as many as its shape says, and of its data type. */
function cellsOf({ name, shape, datatype, data }: Tensor, k: number): unknown[] {
  const cells = data.some(Array.isArray) ? (data.flat(8) as unknown[]) : data;
  const count = shape.reduce((product, n) => product * n, 1);
  if (cells.length !== count) {
    bad(`/inputs/${k}/data`, `${show(name)} has ${cells.length} cells, its shape [${shape.join(', ')}] says ${count}`);
  }
  const expected = datatype === 'BYTES' ? 'string' : datatype === 'BOOL' ? 'boolean' : 'number';
  const whole = expected === 'number' && !datatype.startsWith('FP');
  const wrong = cells.findIndex((cell) => typeof cell !== expected || (whole && !Number.isInteger(cell)));
  if (wrong >= 0)
    bad(`/inputs/${k}/data`, `cell ${wrong} of ${show(name)} is ${show(cells[wrong])}, which is no ${datatype}`);
  return cells;
}

/** The data type of labels. */
export function labelType([first]: readonly Label[]): 'BYTES' | 'INT64' | 'BOOL' {
  return typeof first === 'number' ? 'INT64' : typeof first === 'boolean' ? 'BOOL' : 'BYTES';
}

const outputNames = ['label', 'probabilities'];

/** The outputs that were asked for; both unless told. */
export function outputsOf(
  { classes }: ServedModel,
  { rows, cols, data }: Matrix,
  asked: readonly { readonly name: string }[] | undefined,
): object[] {
  const wanted = asked && asked.length > 0 ? asked.map(({ name }) => name) : outputNames;
  return wanted.map((name, k) => {
    if (name === 'label') {
      const labels = Array.from({ length: rows }, (_, i) => classes[argmax(data, i * cols, cols)]);
      return { name, shape: [rows], datatype: labelType(classes), data: labels };
    }
    if (name === 'probabilities') {
      return {
        name,
        shape: [rows, cols],
        datatype: 'FP64',
        data: Array.from(data, (log) => Math.min(1, Math.exp(log))),
      };
    }
    return bad(`/outputs/${k}/name`, `there is no output ${show(name)}; there are ${outputNames.join(' and ')}`);
  });
}
