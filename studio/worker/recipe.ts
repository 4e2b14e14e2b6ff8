import { type ClassifierOptions, inferSchema, type SchemaColumn } from '../../src/index.ts';
import { type DataRow, familyNamed, familyOf, refuse } from '../../src/workbench.ts';
import type { Settings } from '../protocol.ts';
import { smoothingOf } from '../smoothing-setting.ts';

/** The settings as options of the library, and the feature columns if they have to be named. */
export function recipeFor(
  rows: readonly DataRow[],
  settings: Settings,
): { recipe: ClassifierOptions; features: readonly string[] } {
  const { target, model, seed, ngrams, calibrate, classWeight, kinds, splitColumn, without } = settings;
  const alpha = smoothingOf(settings);
  const features = featuresFor(rows, settings);
  const recipe = {
    target,
    model,
    seed,
    ...(features.length > 0 && { features }),
    ...(Object.keys(kinds).length > 0 && { kinds }),
    ...(splitColumn !== '' && { splitColumn }),
    ...(alpha !== '' && { alpha: alphaOf(alpha) }),
    ...(ngrams !== '' && { ngrams: ngramsOf(ngrams) }),
    ...(without.length > 0 && { stopWords: without }),
    ...(classWeight && { classWeight }),
    ...(calibrate !== 'auto' && { calibrate: calibrate === 'none' ? false : calibrate }),
  };
  return { recipe: recipe as ClassifierOptions, features };
}

function alphaOf(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const alpha = Number(text);
  return alpha >= 0 && Number.isFinite(alpha) ? alpha : refuse('E_PARAM', 'smoothing is a number from 0 on, or auto');
}

function ngramsOf(text: string): readonly [number, number] {
  const [, from, to = from] = /^(\d)(?:-(\d))?$/.exec(text.trim()) ?? [];
  if (from === undefined || Number(to) < Number(from) || Number(from) < 1) {
    refuse('E_PARAM', 'n-grams are written as 1, 2 or 1-2', { name: 'ngrams' });
  }
  return [Number(from), Number(to)];
}

/** The chosen columns; for a named model, those it can use. */
function featuresFor(rows: readonly DataRow[], settings: Settings): readonly string[] {
  const { target, model, features, kinds, splitColumn } = settings;
  if (features.length > 0 || model === 'auto') return features;
  const { columns } = inferSchema(rows, { target, ...(splitColumn !== '' && { splitColumn }) });
  const kindOf = ({ name, kind }: SchemaColumn) => kinds[name] ?? kind;
  const own = columns.filter((column) => column.role === 'feature' && kindOf(column) !== 'ignored');
  const { takes } = familyOf(familyNamed(model));
  const texts = own.filter((column) => kindOf(column) === 'text');
  const counts = own.filter((column) => kindOf(column) === 'number');
  const numbers = own.filter((column) => kindOf(column) === 'number' || kindOf(column) === 'date');
  const levels = own.filter((column) => kindOf(column) !== 'text');
  const fitting = { counts: texts.length > 0 ? texts : counts, numbers, levels, anything: own }[takes];
  if (fitting.length === 0) {
    refuse('E_PARAM', `${familyOf(familyNamed(model)).title} takes ${takes}, and no column has them; choose auto`, {
      name: 'model',
    });
  }
  return fitting.length === own.length ? [] : fitting.map(({ name }) => name);
}
