import type { JSX } from 'preact';
import { Table } from '../parts/table.tsx';
import type { Evaluated } from '../protocol.ts';
import { texts, three, whole } from '../texts/index.ts';

interface Line {
  readonly precision: number;
  readonly recall: number;
  readonly 'f1-score': number;
  readonly support: number;
}

/** scikit-learn's report, with intervals. */
export function ByClass({ evaluated: { evaluation } }: { evaluated: Evaluated }): JSX.Element {
  const { evaluate: say } = texts.value;
  const { report, intervals, confusion } = evaluation;
  const bounds = (part: { low: number; high: number } | undefined) =>
    part ? `${three(part.low)}–${three(part.high)}` : '';
  const row = (label: string): string[] => {
    const line = report[label] as Line | undefined;
    const own = intervals[label];
    return [
      Object.hasOwn(say.averages, label) ? say.averages[label as keyof typeof say.averages] : label,
      three(line?.precision),
      bounds(own?.precision),
      three(line?.recall),
      bounds(own?.recall),
      three(line?.['f1-score']),
      whole(line?.support ?? 0),
    ];
  };
  const labels = [...confusion.labels.slice(0, 200), 'macro avg', 'weighted avg'];
  return (
    <section>
      <h2>{say.report}</h2>
      <Table label={say.report} heads={say.heads} rows={labels.map(row)} />
    </section>
  );
}
