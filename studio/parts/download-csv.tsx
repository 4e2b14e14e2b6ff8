import type { JSX } from 'preact';
import { texts } from '../texts/index.ts';

/** A button that hands over the numbers of something that is no chart. */
export function DownloadCsv({ title, onClick }: { title: string; onClick: () => void }): JSX.Element {
  return (
    <p class="downloads">
      <button type="button" class="small" aria-label={`${texts.value.chart.download} CSV: ${title}`} onClick={onClick}>
        CSV
      </button>
    </p>
  );
}
