import { refuse } from '../errors.ts';

/** The fields that are needed from a page header. */
interface PageHeader {
  readonly type?: string;
  readonly uncompressed_page_size?: number;
  readonly compressed_page_size?: number;
  readonly data_page_header?: { readonly num_values: number } | undefined;
  readonly dictionary_page_header?: { readonly num_values: number } | undefined;
  readonly data_page_header_v2?:
    | {
        readonly num_values: number;
        readonly num_rows: number;
        readonly definition_levels_byte_length: number;
        readonly repetition_levels_byte_length: number;
      }
    | undefined;
}

/** Reads the header at an offset and advances it. */
export type ReadPageHeader = (reader: { view: DataView; offset: number }) => PageHeader;

const MOST_PAGE_BYTES = 2 ** 29;

/**
 * Checks the pages of a column before they are decoded. hyparquet trusts their lengths: a negative one would make it
 * loop forever, a huge one run out of memory. Nested columns may have more values than rows, up to `most`.
 */
export function checkPages(bytes: ArrayBuffer, readHeader: ReadPageHeader, rows: number, most: number): void {
  const reader = { view: new DataView(bytes), offset: 0 };
  let seen = 0;
  while (seen < rows && reader.offset < bytes.byteLength - 1) {
    const header = readHeader(reader);
    const { compressed_page_size: size = -1, uncompressed_page_size: unpacked = -1 } = header;
    const values = valuesOf(header);
    const fits = size >= 0 && reader.offset + size <= bytes.byteLength && unpacked >= 0 && unpacked <= MOST_PAGE_BYTES;
    if (!fits || !(values >= 0 && values <= most) || !levelsFit(header, size)) {
      refuse('E_FORMAT', 'the Parquet file is damaged: a page has an impossible size', { size, unpacked, values });
    }
    reader.offset += size;
    if (header.type !== 'DICTIONARY_PAGE') seen += values;
  }
}

function valuesOf({
  type,
  data_page_header: v1,
  data_page_header_v2: v2,
  dictionary_page_header: words,
}: PageHeader): number {
  if (type === 'DICTIONARY_PAGE') return words?.num_values ?? -1;
  return (type === 'DATA_PAGE_V2' ? v2 : v1)?.num_values ?? -1;
}

function levelsFit({ type, data_page_header_v2: v2 }: PageHeader, size: number): boolean {
  if (type !== 'DATA_PAGE_V2' || v2 === undefined) return true;
  const lengths = [v2.definition_levels_byte_length, v2.repetition_levels_byte_length, v2.num_rows];
  return lengths.every((length) => length >= 0) && lengths[0]! + lengths[1]! <= size;
}
