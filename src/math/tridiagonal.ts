const MOST_SWEEPS = 60;
// In a matrix scaled to 1 this counts as zero; rotations by smaller numbers would lose digits to underflow.
const NOTHING = 2 ** -480;

/**
 * Diagonalises a symmetric tridiagonal matrix in place by implicit QL with Wilkinson's shift (Golub & Van Loan, Matrix
 * Computations, §8.3.5): `diagonal` becomes the eigenvalues, `beside[1 …]` (below the diagonal) vanishes, and the
 * rotations are applied to the rows of `rows`, so that row k becomes the eigenvector of diagonal[k]. Returns false if
 * it does not converge.
 */
export function diagonalise(diagonal: Float64Array, beside: Float64Array, rows: Float64Array, n: number): boolean {
  beside.copyWithin(0, 1);
  if (n > 0) beside[n - 1] = 0;
  for (let first = 0; first < n; first++) {
    for (let sweep = 0; ; sweep++) {
      const last = blockEnd(diagonal, beside, first, n);
      if (last === first) break;
      if (sweep === MOST_SWEEPS) return false;
      chase(diagonal, beside, rows, n, first, last);
    }
  }
  return true;
}

/** The end of the unreduced block that starts at `first`: where the element beside the diagonal is only rounding. */
function blockEnd(diagonal: Float64Array, beside: Float64Array, first: number, n: number): number {
  let last = first;
  while (last < n - 1) {
    const neighbours = Math.abs(diagonal[last]) + Math.abs(diagonal[last + 1]);
    if (Math.abs(beside[last]) <= Math.max(2 ** -53 * neighbours, NOTHING)) break;
    last++;
  }
  return last;
}

/** One QL sweep over the block: a rotation at its end makes a bulge, and rotations chase it up to `first`. */
function chase(d: Float64Array, e: Float64Array, rows: Float64Array, n: number, first: number, last: number): void {
  const gap = (d[first + 1] - d[first]) / (2 * e[first]);
  const root = Math.hypot(gap, 1);
  const shift = d[first] - e[first] / (gap + (gap < 0 ? -root : root));
  let bulge = d[last] - shift;
  let cosine = 1;
  let sine = 1;
  let moved = 0;
  for (let i = last - 1; i >= first; i--) {
    const f = sine * e[i];
    const b = cosine * e[i];
    const length = Math.hypot(f, bulge);
    e[i + 1] = length;
    if (length < NOTHING) {
      // The bulge vanished: the block splits here, and the next sweep sees two.
      d[i + 1] -= moved;
      e[i + 1] = 0;
      e[last] = 0;
      return;
    }
    sine = f / length;
    cosine = bulge / length;
    const base = d[i + 1] - moved;
    const turn = (d[i] - base) * sine + 2 * cosine * b;
    moved = sine * turn;
    d[i + 1] = base + moved;
    bulge = cosine * turn - b;
    rotateRows(rows, i * n, (i + 1) * n, n, cosine, sine);
  }
  d[first] -= moved;
  e[first] = bulge;
  e[last] = 0;
}

/** Rows x and y become cx − sy and sx + cy. */
function rotateRows(rows: Float64Array, x: number, y: number, length: number, c: number, s: number): void {
  for (let k = 0; k < length; k++) {
    const first = rows[x + k];
    const second = rows[y + k];
    rows[x + k] = c * first - s * second;
    rows[y + k] = s * first + c * second;
  }
}
