/** Everything that a client may have much of, and how much of it there may be. */
export interface Limits {
  /** Bytes of a JSON body. */
  readonly bodyBytes: number;
  /** Bytes of an uploaded model or data set, and of a stream of lines. */
  readonly uploadBytes: number;
  /** Bytes of one line of a stream. */
  readonly lineBytes: number;
  /** Arrays and objects in each other. */
  readonly depth: number;
  /** Instances or examples of one request; a stream may have any number. */
  readonly rows: number;
  /** Probabilities of one answer, rows × classes. */
  readonly cells: number;
  /** Classes that one request may add to a model, and classes of a model that learns. */
  readonly newClasses: number;
  readonly classes: number;
  /** The longest n-grams of an uploaded model. */
  readonly ngrams: number;
  /** Bytes of the headers, and of the address. */
  readonly headerBytes: number;
  readonly addressLength: number;
  /** Milliseconds for the headers, and for the whole request. */
  readonly headersTime: number;
  readonly requestTime: number;
  /** Milliseconds in which an idle connection is kept, and between two lines of a stream. */
  readonly idleTime: number;
  readonly connections: number;
  /** Requests that are worked on at once; more are refused with `Retry-After`. */
  readonly inFlight: number;
  /** Milliseconds by which the event loop may be late before requests are refused. */
  readonly lateness: number;
  /** Models, and bytes of all of them. */
  readonly models: number;
  /** Data sets that are kept, and bytes of all of them. */
  readonly datasets: number;
  readonly datasetBytes: number;
  /** Predictions that feedback may refer to, and bytes of all of them. */
  readonly remembered: number;
  readonly rememberedBytes: number;
  /** Jobs that are kept, and jobs that wait. */
  readonly jobs: number;
  readonly waitingJobs: number;
  /** Milliseconds in which a shutdown waits for requests. */
  readonly drainTime: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits unless others are given. */
export const defaultLimits: Limits = {
  bodyBytes: 8 * MIB,
  uploadBytes: 256 * MIB,
  lineBytes: MIB,
  depth: 64,
  rows: 10_000,
  cells: 500_000,
  newClasses: 256,
  classes: 10_000,
  ngrams: 10,
  headerBytes: 16 * KIB,
  addressLength: 2 * KIB,
  headersTime: 10_000,
  requestTime: 60_000,
  idleTime: 72_000,
  connections: 2048,
  inFlight: 512,
  lateness: 500,
  models: 64,
  datasets: 16,
  datasetBytes: 512 * MIB,
  jobs: 100,
  waitingJobs: 16,
  remembered: 10_000,
  rememberedBytes: 64 * MIB,
  drainTime: 4_000,
};
