/** The JSON Schemas of everything that `polya --json` prints, by name. */
export function printedSchemas(): Readonly<Record<string, Record<string, unknown>>>;
/** `fit@1` → `fit.1.schema.json`. */
export function fileOf(name: string): string;
