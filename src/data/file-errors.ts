import { type ErrorDetails, PolyaError, show } from '../errors.ts';

/**
 * Adds the file to an error. If the text was transcoded, the offsets of readers count other bytes than the file has,
 * and are removed.
 */
export function inFile(error: unknown, name: string, isPath: boolean, transcoded: boolean): unknown {
  if (!(error instanceof PolyaError) || error.details.file !== undefined) return error;
  if (error.code === 'E_PARAM' || error.code === 'E_CANCELLED') return error;
  const { offset, fault, ...others } = error.details;
  const keepsOffset = offset !== undefined && (!transcoded || others.encoding !== undefined);
  const renamed = typeof fault === 'string' ? { fault: withOwnNames(fault) } : {};
  const details: ErrorDetails = { file: name, ...others, ...renamed, ...(keepsOffset && { offset }) };
  const joint = /^(line|byte|row) \d/.test(error.message) ? ', ' : ': ';
  const message = `${isPath ? show(name) : name}${joint}${withOwnNames(error.message)}`;
  return new PolyaError(error.code, message, details, error.cause);
}

/** Readers have separate limits; this sets them all from one option. */
function withOwnNames(sentence: string): string {
  return sentence.replaceAll(/\bmax(Cell|Line|Message)Bytes\b/g, 'maxRowBytes');
}
