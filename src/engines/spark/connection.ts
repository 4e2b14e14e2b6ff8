import type { Client, Metadata, ServiceError } from '@grpc/grpc-js';
import type { SparkAddress } from './address.ts';

/** What is needed of `@grpc/grpc-js`, which is loaded when Spark is. */
export type Grpc = Pick<typeof import('@grpc/grpc-js'), 'Client' | 'Metadata' | 'credentials'>;

const SERVICE = '/spark.connect.SparkConnectService/';
const PATIENCE = 10_000;

const same = (bytes: Buffer) => bytes;

/** The three calls of Spark Connect that Pólya makes, on one channel; messages go in and out as bytes. */
export class SparkConnection {
  private readonly client: Client;
  private readonly metadata: Metadata;

  constructor({ Client, Metadata, credentials }: Grpc, { target, secure, token }: SparkAddress) {
    this.client = new Client(target, secure ? credentials.createSsl() : credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1, // a batch is about 4 MiB, which is also the default limit
    });
    this.metadata = new Metadata();
    if (token !== undefined) this.metadata.set('authorization', `Bearer ${token}`);
  }

  /** The responses to an `ExecutePlanRequest`. The stream ends without an error only when the server has sent everything. */
  execute(request: Buffer) {
    return this.client.makeServerStreamRequest(`${SERVICE}ExecutePlan`, same, same, request, this.metadata);
  }

  /** `Interrupt` or `ReleaseSession`: courtesies to the server, whose failure changes nothing here. */
  tell(method: 'Interrupt' | 'ReleaseSession', request: Buffer): Promise<void> {
    return new Promise((done) => {
      const deadline = Date.now() + PATIENCE;
      const answered = (_: ServiceError | null) => done();
      this.client.makeUnaryRequest(`${SERVICE}${method}`, same, same, request, this.metadata, { deadline }, answered);
    });
  }

  close(): void {
    this.client.close();
  }
}
