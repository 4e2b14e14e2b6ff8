import Type from 'typebox';
import { amount, closed, output, perhaps, probability, reasonsEntries, warning } from './shapes.ts';

const share = closed({ value: Type.String(), rows: amount, share: probability });
const nullable = Type.Union([Type.String(), Type.Null()]);

const words = Type.Array(Type.String());
const format = closed(
  {
    numbers: Type.Optional(Type.Union([Type.Literal('point'), Type.Literal('comma')])),
    dates: Type.Optional(Type.Union([Type.Literal('day-first'), Type.Literal('month-first')])),
    parts: Type.Optional(words),
    truth: Type.Optional(words),
    missing: Type.Optional(words),
  },
  'How the cells are read: the decimal mark, the order of dates, the words of true and false, the words for a missing cell.',
);

/** What the commands print that look at data and models. */
export const looking = {
  'inspect@1': output(
    'inspect@1',
    {
      file: Type.String(),
      format: Type.String(),
      formatReason: Type.String(),
      encoding: Type.String(),
      compressed: Type.Boolean(),
      delimiter: nullable,
      header: Type.Union([Type.Boolean(), Type.Null()]),
      bytes: amount,
      rows: amount,
      rejected: amount,
      profile: closed({
        rows: amount,
        sampledRows: amount,
        target: Type.Optional(
          closed({
            name: Type.String(),
            guessed: Type.Boolean(),
            reason: Type.String(),
            classes: Type.Array(share),
            missing: amount,
          }),
        ),
        columns: Type.Array(
          closed({
            name: Type.String(),
            kind: Type.String(),
            role: Type.String(),
            reason: Type.String(),
            missing: amount,
            distinct: amount,
            levels: Type.Optional(Type.Array(Type.String())),
            format: Type.Optional(format),
            ambiguous: Type.Optional(Type.String()),
            top: Type.Optional(Type.Array(share)),
            typicalLength: Type.Optional(Type.Number()),
          }),
        ),
        duplicates: amount,
        warnings: Type.Array(warning),
      }),
    },
    'What is in the data.',
  ),
  'explain@1': output(
    'explain@1',
    { label: Type.String(), probability, ...reasonsEntries, truth: Type.Optional(Type.String()) },
    'Why a row gets its label.',
  ),
  'explain-model@1': output(
    'explain-model@1',
    {
      summary: Type.String(),
      classes: Type.Array(Type.String()),
      telling: Type.Array(
        closed({
          label: Type.String(),
          terms: Type.Array(
            closed({
              feature: Type.String(),
              value: Type.Optional(Type.String()),
              weight: perhaps,
              logOdds: Type.Optional(perhaps),
              mean: Type.Optional(Type.Number()),
            }),
          ),
        }),
      ),
      columns: Type.Array(
        closed({
          name: Type.String(),
          family: Type.String(),
          accuracy: Type.Number(),
          information: Type.Optional(Type.Number()),
        }),
      ),
    },
    'What a model goes by.',
  ),
  'features@1': output(
    'features@1',
    {
      of: Type.String(),
      by: Type.String(),
      classes: Type.Array(Type.String()),
      features: Type.Array(
        closed({
          feature: Type.String(),
          level: Type.Optional(Type.String()),
          class: Type.String(),
          rows: Type.Number(),
          mi: Type.Number(),
          chi2: perhaps,
          gainRatio: perhaps,
          logOdds: Type.Number(),
          low: Type.Number(),
          high: Type.Number(),
          bns: Type.Number(),
        }),
      ),
      all: amount,
    },
    'Words and cells by how much they tell.',
  ),
  'info@1': Type.Object(
    {
      schema: Type.Literal('polya/info@1'),
      file: Type.String(),
      kind: Type.String(),
      formatVersion: amount,
      bytes: amount,
      sha256: Type.String(),
      slim: Type.Boolean(),
      provenance: Type.Optional(Type.Object({})),
      classes: Type.Optional(Type.Array(Type.Unknown())),
      features: Type.Optional(amount),
      params: Type.Object({}),
      steps: Type.Array(Type.Unknown()),
      arrays: Type.Array(Type.Unknown()),
      report: Type.Optional(Type.Object({})),
    },
    {
      $id: 'urn:polya:schema:info@1',
      title: 'polya/info@1',
      description: 'The card of a model file.',
    },
  ),
} as const;
