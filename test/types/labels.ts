// Checked against the declarations of the package, without running: which labels a model predicts.
import {
  Classifier,
  CountVectorizer,
  type FittedModel,
  GaussianNB,
  type Label,
  load,
  loadTitanic,
  MultinomialNB,
  makePipeline,
  mostInformative,
  StandardScaler,
} from 'polya';
import { loadSms, readTable } from 'polya/node';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

type Team = 'billing' | 'support';
interface Ticket {
  readonly subject: string;
  readonly minutes: number | null;
  readonly team: Team | null;
}
declare const tickets: readonly Ticket[];

// records: the label type is that of the target column, without gaps
const classifier = Classifier.fit(tickets, { target: 'team' });
same<typeof classifier, Classifier<Team>>(true);
same<ReturnType<typeof classifier.predict>, Team[]>(true);
const [first] = tickets;
const label: Team = classifier.classify(first).label;
const untyped = Classifier.fit([] as Record<string, unknown>[], { target: 'team' });
same<typeof untyped, Classifier<Label>>(true);
const named = Classifier.fit<Team>([] as Record<string, unknown>[], { target: 'team' });
same<typeof named, Classifier<Team>>(true);
// @ts-expect-error the rows have no such label
const wrong: 'sales' = classifier.classify(first).label;

// samples and tables have typed rows
const survived: 'yes' | 'no' = Classifier.fit(loadTitanic().rows, { target: 'survived' }).predict([{ sex: 'male' }])[0];
const { rows, target } = loadSms();
const spam: 'ham' | 'spam' = Classifier.fit(rows, { target }).classify({ text: 'free' }).label;
const table = await readTable<Ticket>('tickets.csv');
const team: Team = Classifier.fit(table.rows, { target: 'team' }).classify(table.rows[0]).label;

// estimators and pipelines predict what they were fitted with
const labels: Team[] = [];
const gaussian = new GaussianNB().fit([[1, 2]], labels);
const teams: Team[] = gaussian.predict([[1, 2]]);
const again: Team[] = gaussian.partialFit([[1, 2]], labels).classes;
const numbers: number[] = new GaussianNB().fit([[1, 2]], Int32Array.of(1)).predict([[1, 2]]);
const model = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['a text'], labels);
const words: Team[] = model.predict(['a text']);
const merged: Team[] = model.merge(makePipeline(new CountVectorizer(), new MultinomialNB())).predict(['a text']);
const scaled = makePipeline(new StandardScaler(), new GaussianNB()).fit([[1]], labels);
// @ts-expect-error the classifier has learned other labels
const numbered: number[] = scaled.predict([[1]]);
// @ts-expect-error a text pipeline takes texts
model.predict([[1, 2]]);
const unfitted: Label[] = new GaussianNB().predict([[1, 2]]);

// what is loaded can be used at once, or named
const opened: FittedModel = load(model.toBytes());
const answers: readonly Label[] = opened.predict(['a text']);
const copy = load<typeof model>(model.toBytes());
const copied: Team[] = copy.predict(['a text']);
const file = new Blob([model.toBytes()]);

// internal methods are not in completion, and functions beside the model still take it
type Internal =
  | 'inside'
  | 'peek'
  | 'adopt'
  | 'share'
  | 'condense'
  | 'restore'
  | 'moveFeatures'
  | 'study'
  | 'known'
  | 'fitting';
same<
  Extract<keyof typeof gaussian | keyof typeof model | keyof CountVectorizer | keyof typeof classifier, Internal>,
  never
>(true);
const top = mostInformative(model, { k: 3 });

export {
  again,
  answers,
  copied,
  file,
  label,
  merged,
  numbered,
  numbers,
  spam,
  survived,
  team,
  teams,
  top,
  unfitted,
  words,
  wrong,
};
