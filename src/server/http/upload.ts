import type { FastifyRequest } from 'fastify';
import { refuse, show } from '../../errors.ts';

/** What a form brings: its fields, and its one file. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Reads a form with one file; fields come before it, and only those that are known. */
export async function readUpload(request: FastifyRequest, limit: number, known: readonly string[]): Promise<Upload> {
  if (!request.isMultipart()) refuse('E_MEDIA_TYPE', 'send the file as multipart/form-data');
  const fields: Record<string, string> = Object.create(null);
  let bytes: Uint8Array | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (bytes) refuse('E_BAD_REQUEST', 'there is more than one file in the form');
      bytes = await part.toBuffer();
      continue;
    }
    if (!known.includes(part.fieldname)) {
      refuse('E_BAD_REQUEST', `the form has the unknown field ${show(part.fieldname)}`, {
        pointer: `/${part.fieldname.slice(0, 64)}`,
      });
    }
    if (Object.hasOwn(fields, part.fieldname)) refuse('E_BAD_REQUEST', `the form has ${show(part.fieldname)} twice`);
    fields[part.fieldname] = String(part.value);
  }
  if (!bytes) return refuse('E_BAD_REQUEST', 'there is no file in the form');
  if (bytes.length > limit) refuse('E_TOO_LARGE', `the file is larger than ${limit} bytes`, { limit });
  return { fields, bytes };
}
