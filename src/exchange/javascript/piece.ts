/** A function of the exported module, and the functions it calls. */
export interface Piece {
  readonly code: string;
  readonly needs: readonly string[];
}

/** A piece of program text; what it calls is named behind it. */
export const piece = (code: string, ...needs: string[]): Piece => ({ code: code.trim(), needs });
