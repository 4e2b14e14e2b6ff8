import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { familyNamed, familyOf, type Takes } from '../../auto/learner-families.ts';
import { type SchemaColumn, schemaOf } from '../../auto/schema.ts';
import type { ColumnTable } from '../../data/column-table.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { type Learning, learnOptions } from './options.ts';

/** How rows are learned with a model: the options given, and only the columns that the model takes, which is said. */
export function recipeFor(
  context: Learning,
  { table, target }: { readonly table: ColumnTable; readonly target: string },
  model: string = context.options.model,
  splitColumn?: string | undefined,
): ClassifierOptions {
  const recipe: ClassifierOptions = { ...learnOptions(context, model), target, ...(splitColumn && { splitColumn }) };
  if (model === 'auto' || recipe.features || recipe.kinds) return recipe;
  const { decimal, dateOrder } = recipe;
  const { columns } = schemaOf(table, { target, decimal, dateOrder, splitColumn });
  const own = columns.filter(({ role, name }) => role === 'feature' && name !== context.options.weights);
  const { takes } = familyOf(familyNamed(model));
  const fitting = columnsFor(takes, own);
  if (fitting.length === own.length || fitting.length === 0) return recipe;
  const [features, others] = [fitting.map(({ name }) => name), own.filter((column) => !fitting.includes(column))];
  context.print.talk(
    texts.fit.features(
      listed(features),
      model,
      takes === 'counts' && fitting[0].kind === 'text' ? 'text' : takes,
      listed(others.map(({ name }) => name)),
    ),
  );
  return { ...recipe, features };
}

function columnsFor(takes: Takes, columns: readonly SchemaColumn[]): SchemaColumn[] {
  const words = columns.filter(({ kind }) => kind === 'text');
  const numbers = columns.filter(({ kind }) => kind === 'number');
  if (takes === 'counts') return words.length > 0 ? words : numbers;
  if (takes === 'numbers') return columns.filter(({ kind }) => kind === 'number' || kind === 'date');
  return takes === 'levels' ? columns.filter(({ kind }) => kind !== 'text') : [...columns];
}

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, 5)
    .map((name) => safe(name, 30))
    .join(', ')}${names.length > 5 ? ' …' : ''}`;
