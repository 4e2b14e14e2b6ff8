import { PROBLEM } from '../problem.ts';

/** An answer as a route gives it. */
export interface Answer {
  readonly status: number;
  /** JSON, or a problem where the status tells of one. */
  readonly text: string;
  readonly id: string;
  /** The version of the model that answers. */
  readonly version?: number | undefined;
  /** Seconds after which it may be tried again. */
  readonly wait?: number | undefined;
}

/** Who is told an answer. */
export interface Recipient {
  tell(answer: Answer): void;
}

/** The media type of answers in JSON. */
export const JSON_ANSWER = 'application/json; charset=utf-8';

/** The media type of an answer. */
export const typeOf = ({ status }: Answer): string => (status < 400 ? JSON_ANSWER : PROBLEM);

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

/** Writes the heads of answers; the part that all of a second share is made once. */
export class AnswerHeads {
  private readonly keepAlive: string;
  private readonly shared = new Map<number, string>();
  private second = 0;

  constructor(idleTime: number) {
    this.keepAlive = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(idleTime / 1000)}\r\n`;
  }

  /** An answer of so many bytes as it goes over the wire; the last of a connection says so. */
  write(answer: Answer, bytes: number, last: boolean): string {
    const { text, id, version, wait } = answer;
    let head = `${this.start(answer)}x-request-id: ${id}\r\ncontent-length: ${bytes}\r\n`;
    if (version !== undefined) head += `etag: "${version}"\r\n`;
    if (wait !== undefined) head += `retry-after: ${wait}\r\n`;
    return `${head}${last ? 'connection: close\r\n' : this.keepAlive}\r\n${text}`;
  }

  private start(answer: Answer): string {
    const { status } = answer;
    const now = Math.floor(Date.now() / 1000);
    if (now !== this.second) {
      this.second = now;
      this.shared.clear();
    }
    let own = this.shared.get(status);
    if (own === undefined) {
      const date = new Date(now * 1000).toUTCString();
      own = `HTTP/1.1 ${status} ${reasons[status] ?? 'Status'}\r\ncontent-type: ${typeOf(answer)}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\ndate: ${date}\r\n`;
      this.shared.set(status, own);
    }
    return own;
  }
}
