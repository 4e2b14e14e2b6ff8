import type { Client, Metadata, ServiceError } from '@grpc/grpc-js';
import { CONNECT_DEADLINE } from '../failure.ts';
import type { SparkAddress } from './address.ts';

/** What is needed from `@grpc/grpc-js`, which is loaded on demand. */
export type Grpc = Pick<typeof import('@grpc/grpc-js'), 'Client' | 'Metadata' | 'credentials'>;

const SERVICE = '/spark.connect.SparkConnectService/';
/** Servers close a connection that is probed more often than every five minutes. */
const KEEPALIVE_EVERY = 360_000;
const KEEPALIVE_ANSWER = 20_000;

const same = (bytes: Buffer) => bytes;

/** The three calls of Spark Connect that Pólya uses, on one channel; messages are bytes. */
export class SparkConnection {
  private readonly client: Client;
  private readonly metadata: Metadata;

  constructor({ Client, Metadata, credentials }: Grpc, { target, secure, token, headers }: SparkAddress) {
    this.client = new Client(target, secure ? credentials.createSsl() : credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1, // a batch is about 4 MiB, which is also the default limit
      'grpc.keepalive_time_ms': KEEPALIVE_EVERY,
      'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER,
    });
    this.metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) this.metadata.set(name, value);
    if (token !== undefined) this.metadata.set('authorization', `Bearer ${token}`);
  }

  /** The responses to an `ExecutePlanRequest`. The stream ends without an error only when the server has sent everything. */
  execute(request: Buffer) {
    return this.client.makeServerStreamRequest(`${SERVICE}ExecutePlan`, same, same, request, this.metadata);
  }

  /** `Interrupt` or `ReleaseSession`: they free resources of the server, and their failure is ignored. */
  tell(method: 'Interrupt' | 'ReleaseSession', request: Buffer): Promise<void> {
    return new Promise((done) => {
      const deadline = Date.now() + CONNECT_DEADLINE;
      const answered = (_: ServiceError | null) => done();
      this.client.makeUnaryRequest(`${SERVICE}${method}`, same, same, request, this.metadata, { deadline }, answered);
    });
  }

  close(): void {
    this.client.close();
  }
}
