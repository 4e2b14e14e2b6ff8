import { cellPieces } from './cells.ts';
import { curvePieces } from './curves.ts';
import { dependentPieces } from './dependent.ts';
import { numbersLiteral } from './literals.ts';
import { numberPieces } from './numbers.ts';
import type { Piece } from './piece.ts';
import { readingPieces } from './reading.ts';
import { scorePieces } from './scores.ts';
import { segmentPieces } from './segments.ts';
import { termPieces } from './terms.ts';
import { wordPieces } from './words.ts';

const pieces: Readonly<Record<string, Piece>> = {
  ...numberPieces,
  ...readingPieces,
  ...wordPieces,
  ...segmentPieces,
  ...cellPieces,
  ...termPieces,
  ...dependentPieces,
  ...scorePieces,
  ...curvePieces,
};

/** The program text of an exported module while it grows: functions that are called, each once, and constants. */
export class ModuleText {
  private readonly used = new Set<string>();
  private readonly constants: string[] = [];
  private readonly known = new Map<unknown, string>();

  /** The name of a function of the module, which is then part of it. */
  use(name: string): string {
    if (!Object.hasOwn(pieces, name)) throw new Error(`there is no piece ${name}`);
    if (!this.used.has(name)) {
      for (const needed of pieces[name].needs) this.use(needed);
      this.used.add(name);
    }
    return name;
  }

  /** A call of a function of the module. */
  call(name: string, ...args: readonly (string | number | boolean)[]): string {
    return `${this.use(name)}(${args.join(', ')})`;
  }

  /** The name of a constant; `make` writes its program text unless the same `key` has one already. */
  constant(key: unknown, make: () => string): string {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const name = `k${this.known.size}`;
    this.known.set(key, name);
    this.constants.push(`const ${name} = ${make()};`);
    return name;
  }

  /** The name of a constant list of numbers. */
  numbers(values: ArrayLike<number>): string {
    return this.constant(values, () => {
      const { code, packed } = numbersLiteral(values);
      if (packed) this.use('doubles');
      return code;
    });
  }

  /** All functions, then all constants. */
  toString(): string {
    const functions = [...this.used].map((name) => pieces[name].code);
    return [...functions, ...this.constants].join('\n');
  }
}
