const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits of a server unless others are given. */
export const defaultLimits = {
  /** Bytes of a JSON body. */
  bodyBytes: 8 * MIB,
  /** Bytes of an uploaded model or data set, and of a stream of lines. */
  uploadBytes: 256 * MIB,
  /** Bytes of one line of a stream. */
  lineBytes: MIB,
  /** Depth of nested arrays and objects. */
  depth: 64,
  /** Instances or examples of one request; a stream may have any number. */
  rows: 10_000,
  /** Probabilities of one response, rows × classes. */
  cells: 500_000,
  /** Classes that one request may add to a model. */
  newClasses: 256,
  /** Classes of a model that learns. */
  classes: 10_000,
  /** The longest n-grams of an uploaded model. */
  ngrams: 10,
  /** Bytes of the headers. */
  headerBytes: 16 * KIB,
  /** Characters of the address. */
  addressLength: 2 * KIB,
  /** Milliseconds for the headers. */
  headersTime: 10_000,
  /** Milliseconds for the body, and between two pieces of a stream. */
  requestTime: 60_000,
  /** Milliseconds after which an idle connection is closed. */
  idleTime: 72_000,
  connections: 2048,
  /** Requests that are handled at once; more are refused with `Retry-After`. */
  inFlight: 512,
  /** Milliseconds by which the event loop may be late, several times in a row, before requests are refused. */
  lateness: 500,
  models: 64,
  /** Data sets that are stored; the oldest are removed. */
  datasets: 16,
  /** Bytes of all data sets. */
  datasetBytes: 512 * MIB,
  /** Jobs that are listed. */
  jobs: 100,
  /** Jobs that wait or run. */
  waitingJobs: 16,
  /** Predictions that feedback may refer to. */
  remembered: 10_000,
  /** Bytes of all of them. */
  rememberedBytes: 64 * MIB,
  /** Milliseconds for which a shutdown waits for requests. */
  drainTime: 4_000,
};

/** Limits of a server; see `defaultLimits`. */
export type Limits = { readonly [K in keyof typeof defaultLimits]: number };
