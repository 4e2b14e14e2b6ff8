import { CholeskyDecomposition, EigenvalueDecomposition, Matrix, SingularValueDecomposition } from 'ml-matrix';
import { expect, test } from 'vitest';
import { relativeError } from '../../test/reference/math/golden.ts';
import { cholesky, solve } from './cholesky.ts';
import { symmetricEigen } from './eigen.ts';
import { Random } from './random.ts';
import { thinSvd } from './svd.ts';

function normals(rows: number, columns: number, seed: number): Matrix {
  const random = new Random(seed);
  return new Matrix(Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.normal())));
}

const flat = (matrix: Matrix) => Float64Array.from(matrix.to1DArray());
const descending = (values: readonly number[]) => [...values].sort((a, b) => b - a);

for (const size of [2, 5, 17, 60]) {
  test(`factor, eigenvalues and singular values of side ${size} agree with ml-matrix 6.15.1`, () => {
    const tall = normals(size + 7, size, size);
    const square = tall.transpose().mmul(tall);
    const factor = cholesky(flat(square), size);
    const lower = flat(new CholeskyDecomposition(square).lowerTriangularMatrix);
    factor.lower.forEach((value, at) => {
      expect(Math.abs(value - lower[at])).toBeLessThan(1e-11);
    });
    const solved = solve(factor, new Float64Array(size).fill(1));
    expect(Math.abs(square.mmul(Matrix.columnVector(solved)).get(0, 0) - 1)).toBeLessThan(1e-9);

    const eigenvalues = descending(new EigenvalueDecomposition(square, { assumeSymmetric: true }).realEigenvalues);
    const singular = descending(new SingularValueDecomposition(tall).diagonal);
    const mine = thinSvd(flat(tall), size + 7, size).values;
    symmetricEigen(flat(square), size).values.forEach((value, k) => {
      expect(Math.abs(value - eigenvalues[k])).toBeLessThan(1e-13 * eigenvalues[0] * size);
      expect(relativeError(mine[k], singular[k])).toBeLessThan(1e-11);
    });
  });
}
