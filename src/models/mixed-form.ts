import type { Field, Form } from '../core/form.ts';
import type { Model } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { fieldsOf, pack, sidesOf, unpack } from '../stats/pack.ts';
import type { MixedOptions, Mixture } from './mixed.ts';

// biome-ignore lint/suspicious/noExplicitAny: each family has its own statistic, parameters and options
type AnyModel = Model<any, any, any>;

/** The arrays of every block under its name. */
export function mixedForm(familyOf: (block: string) => AnyModel): Form<Mixture, MixedOptions> {
  const formOf = (block: string) => familyOf(block).form!;
  const under = <T>(block: string, entries: readonly (readonly [string, T])[]) =>
    entries.map(([name, value]) => [`${block}.${name}`, value] as const);
  return {
    arrays: ({ parts = {} }) => {
      const fields = Object.entries(parts).flatMap(([block, part]) =>
        under(
          block,
          fieldsOf(formOf(block), part).map(([name, field]) => [name, numbered(field, part)] as const),
        ),
      );
      return { logPrior: ['log', 'classes'], ...Object.fromEntries(fields) };
    },
    pack: ({ logPrior, blocks }) => {
      const all = blocks.flatMap(({ name, params }) => under(name, Object.entries(pack(formOf(name), params))));
      return { logPrior, ...Object.fromEntries(all) };
    },
    unpack({ logPrior, ...packed }, { classes, features, parts = {} }, options) {
      const blocks = Object.entries(parts).map(([name, part]) => {
        const { options: own, places = new Int32Array(0) } = options.blocks[name];
        const names = fieldsOf(formOf(name), part).map(([field]) => [field, packed[`${name}.${field}`]] as const);
        const params = unpack(formOf(name), Object.fromEntries(names), part, { ...own, classPrior: 'uniform' });
        return params && { name, params, places, flat: familyOf(name).logPrior(params) };
      });
      const whole = blocks.filter((block) => block !== undefined);
      return whole.length === blocks.length ? { classes, features, logPrior, blocks: whole } : undefined;
    },
  };
}

/** A field whose sides are those of the block, not of the whole. */
function numbered(field: Field, part: Shape): Field {
  const [content, ...sides] = field;
  const lengths = sidesOf(field, part, 0);
  return [content, ...sides.map((side, k) => (side === 'any' ? side : lengths[k]))];
}
