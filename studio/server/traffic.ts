/** The counters of a server at one time. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requests: number;
  readonly refused: number;
  /** Predictions no slower than each bound in seconds, rising. */
  readonly fast: readonly (readonly [seconds: number, count: number])[];
  /** Predictions of each class of each model. */
  readonly classes: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** One line of the text format of Prometheus. */
interface Line {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function* linesOf(text: string): Generator<Line> {
  for (const line of text.split('\n')) {
    const [, name, given = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const labels = [...given.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, own]) => [key, unescaped(own)]);
    yield { name, labels: Object.fromEntries(labels), value: value === '+Inf' ? Infinity : Number(value) };
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));

/** Reads counters. */
export function sampleOf(text: string, at: number): Sample {
  let [requests, refused] = [0, 0];
  const fast = new Map<number, number>();
  const classes = new Map<string, Map<string, number>>();
  for (const { name, labels, value } of linesOf(text)) {
    const isModel = labels.route?.startsWith('/v1/models/:model') ?? false;
    if (name === 'polya_request_seconds_count' && isModel) requests += value;
    if (name === 'polya_refused_total') refused += value;
    if (name === 'polya_request_seconds_bucket' && labels.route?.endsWith('/predict')) {
      const seconds = labels.le === '+Inf' ? Infinity : Number(labels.le);
      fast.set(seconds, (fast.get(seconds) ?? 0) + value);
    }
    if (name === 'polya_predictions_total') {
      const own = classes.get(labels.model) ?? new Map<string, number>();
      classes.set(labels.model, own.set(labels.class, value));
    }
  }
  return { at, requests, refused, fast: [...fast].sort(([a], [b]) => a - b), classes };
}

/** The sample from which the last minute counts. */
export const minuteAgo = (all: readonly Sample[]): Sample =>
  all.find(({ at }) => at >= all[all.length - 1].at - 60_000)!;

/** Requests per second between two samples. */
export const rateOf = (from: Sample, to: Sample): number =>
  to.at > from.at ? Math.max(0, to.requests - from.requests) / ((to.at - from.at) / 1000) : 0;

/** The time in seconds within which a share of the predictions between two samples was answered; undefined without any. */
export function latencyOf(from: Sample | undefined, to: Sample, share: number): number | undefined {
  const before = new Map(from?.fast ?? []);
  const counts = to.fast.map(([seconds, count]) => [seconds, count - (before.get(seconds) ?? 0)] as const);
  const all = counts.at(-1)?.[1] ?? 0;
  if (all <= 0) return undefined;
  const wanted = share * all;
  const k = counts.findIndex(([, count]) => count >= wanted);
  const [low, below] = k > 0 ? counts[k - 1] : [0, 0];
  const [high, above] = counts[k];
  if (high === Infinity) return low;
  return low + ((high - low) * (wanted - below)) / Math.max(1, above - below);
}

/** The share of a class among predictions, before and in the last minute. */
export interface Mix {
  readonly label: string;
  readonly before: number | undefined;
  readonly now: number | undefined;
  /** Whether chance alone rarely moves the share so far: by more than 2.58 standard errors of both. */
  readonly drifts: boolean;
}

/** The classes of a model in the last minute beside all earlier predictions. */
export function mixOf(all: readonly Sample[], model: string): { readonly mix: Mix[]; readonly n: number } {
  const last = all[all.length - 1].classes.get(model) ?? new Map<string, number>();
  const then = minuteAgo(all).classes.get(model) ?? new Map<string, number>();
  const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, own) => sum + own, 0);
  const earlier = total(then);
  const recent = total(last) - earlier;
  const mix = [...last].map(([label, count]): Mix => {
    const before = earlier > 0 ? (then.get(label) ?? 0) / earlier : undefined;
    const now = recent > 0 ? (count - (then.get(label) ?? 0)) / recent : undefined;
    if (before === undefined || now === undefined) return { label, before, now, drifts: false };
    const p = count / (earlier + recent);
    const error = Math.sqrt(p * (1 - p) * (1 / earlier + 1 / recent));
    return { label, before, now, drifts: recent >= 20 && Math.abs(now - before) > 2.58 * error };
  });
  return { mix, n: recent };
}
