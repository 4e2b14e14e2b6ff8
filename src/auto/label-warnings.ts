import type { Label } from '../data/labels.ts';
import type { Warning } from './warnings.ts';

/** What is odd about labels: rows without one, labels that are nearly the same, and several labels in one cell. */
export function labelWarnings(
  target: string,
  classes: readonly Label[],
  counts: Float64Array,
  unlabeled: number,
): Warning[] {
  const labels = classes.map(String);
  return [...withoutLabel(target, unlabeled), ...severalLabels(target, labels, counts), ...nearEqual(labels)];
}

function withoutLabel(target: string, rows: number): Warning[] {
  if (rows === 0) return [];
  const have = rows === 1 ? '1 row has' : `${rows} rows have`;
  const sentence = `${have} no label in "${target}": a model learns nothing from ${rows === 1 ? 'it' : 'them'}`;
  return [{ kind: 'unlabeled', sentence, about: target, value: rows }];
}

/** Labels that are equal but for case, spaces and the Unicode form of their characters. */
function nearEqual(labels: readonly string[]): Warning[] {
  const alike = new Map<string, string[]>();
  for (const label of labels) {
    const key = label.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
    alike.set(key, [...(alike.get(key) ?? []), label]);
  }
  return [...alike.values()].flatMap((own): Warning[] => {
    if (own.length < 2) return [];
    const named = own.map((label) => `"${label}"`).join(', ');
    const sentence = `the labels ${named} differ only in case or spaces and count as ${own.length} classes: spell them alike`;
    return [{ kind: 'near-equal-labels', sentence, about: own[0], value: own.length }];
  });
}

const SEPARATORS = ['|', ';', ','];

/** Cells that list several labels: JSON arrays, or labels between separators. */
function severalLabels(target: string, labels: readonly string[], counts: Float64Array): Warning[] {
  const isList = [isJsonList, ...SEPARATORS.map((mark) => (label: string) => label.includes(mark))].find(
    (test, k) => labels.some(test) && (k === 0 || sharesParts(labels, SEPARATORS[k - 1])),
  );
  if (!isList) return [];
  const rows = labels.reduce((sum, label, c) => sum + (isList(label) ? counts[c] : 0), 0);
  const lists = labels.filter(isList);
  const example = lists.find((label) => SEPARATORS.some((mark) => label.includes(mark))) ?? lists[0];
  const sentence = `column "${target}" holds several labels per row, such as ${example}: that is not supported. Keep one label per row, or make one column of yes and no for each label and train one model for each`;
  return [{ kind: 'several-labels', sentence, about: target, value: rows }];
}

function isJsonList(label: string): boolean {
  if (!/^\s*\[.*\]\s*$/s.test(label)) return false;
  try {
    return Array.isArray(JSON.parse(label));
  } catch {
    return /^\s*\['.*'\]\s*$/s.test(label); // as Python prints it
  }
}

/** Whether labels are lists of fewer different parts: "a|b", "b", "a" and not "Paris, France", "Rome, Italy". */
function sharesParts(labels: readonly string[], mark: string): boolean {
  const lists = labels.filter((label) => label.includes(mark));
  const parts = new Set(labels.flatMap((label) => label.split(mark)).map((part) => part.trim()));
  return lists.length > 1 && parts.size < labels.length && !parts.has('');
}
