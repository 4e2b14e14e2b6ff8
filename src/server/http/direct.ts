import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { PolyaError } from '../../errors.ts';
import { findModel } from '../find-model.ts';
import { learnAll } from '../routes/learn-answer.ts';
import { type LearnBody, learnBody } from '../routes/learn-schema.ts';
import { predictAll, predictEach, predictShort } from '../routes/predict.ts';
import { type PredictBody, predictBody } from '../routes/predict-schema.ts';
import type { Service } from '../service.ts';
import type { Recipient } from './lane/answer-head.ts';
import type { DirectVerb, Head } from './lane/head.ts';
import { ownError, problemOf, retryAfter } from './problem.ts';
import { requestId } from './request-id.ts';
import { isShort } from './slices.ts';
import { soleLesson } from './sole-lesson.ts';
import { soleText } from './sole-text.ts';
import { parseBody } from './strict-body.ts';

/** One request on its way. */
interface Asked {
  readonly head: Head;
  readonly id: string;
  readonly to: Recipient;
  readonly started: number;
}

/** A request that asks about one text and nothing else. */
interface Alike {
  readonly asked: Asked;
  readonly text: string;
}

/** So many texts are predicted together at most. */
const TOGETHER = 64;

type Check = (given: unknown) => unknown;

/**
 * The routes that are asked thousands of times a second, without the framework around them: hooks, its reader of bodies and its
 * replies cost more than the prediction of a short text. The functions behind them are those of the routes, and so are the answers.
 */
export class Direct {
  private readonly service: Service;
  private readonly notes: Readonly<Record<DirectVerb, (status: number, milliseconds: number) => void>>;
  private alike: Alike[] = [];
  private readonly checkPredict: Check = checker(predictBody);
  private readonly checkLearn: Check = checker(learnBody);

  constructor(service: Service) {
    this.service = service;
    const note = (verb: DirectVerb) => service.metrics.timer('POST', `/v1/models/:model/${verb}`);
    this.notes = { predict: note('predict'), learn: note('learn'), unlearn: note('unlearn') };
  }

  /** Answers a request whose body is whole: at once, at the next `finish`, or when what it asks for is done. */
  answer(head: Head, body: Buffer, to: Recipient): void {
    const id = requestId(head.headers['x-request-id']);
    const asked: Asked = { head, id, to, started: performance.now() };
    try {
      if (head.verb === 'predict') this.predict(asked, body);
      else this.learn(asked, body, head.verb);
    } catch (error) {
      this.refuse(asked, error);
    }
  }

  /** Refuses a request without looking at its body. */
  refuseBusy(head: Head, to: Recipient): void {
    const asked = { head, id: requestId(head.headers['x-request-id']), to, started: performance.now() };
    this.refuse(asked, busy());
  }

  private predict(asked: Asked, body: Buffer): void {
    const { service } = this;
    const sole = soleText(body);
    if (sole !== undefined) return void this.alike.push({ asked, text: sole });
    const given = this.read(body, this.checkPredict) as PredictBody;
    const served = findModel(service.store, asked.head.model);
    if (isShort(given.instances.length)) this.send(asked, served.version, predictShort(service, served, given));
    else this.later(asked, predictAll(service, served, given), ({ of, text }) => this.send(asked, of.version, text));
  }

  /** Answers the requests that ask about one text each, those of one model together: many texts at once cost two thirds. */
  finish(): void {
    const { alike } = this;
    if (alike.length === 0) return;
    this.alike = [];
    for (let from = 0; from < alike.length; ) {
      const { model } = alike[from].asked.head;
      let to = from + 1;
      while (to < alike.length && to - from < TOGETHER && alike[to].asked.head.model === model) to++;
      this.predictTogether(model, alike.slice(from, to));
      from = to;
    }
  }

  /** What is refused together is asked one by one, so that each is told its own reason. */
  private predictTogether(model: string, some: readonly Alike[]): void {
    const { service } = this;
    try {
      const served = findModel(service.store, model);
      const answers = predictEach(
        service,
        served,
        some.map(({ text }) => text),
      );
      for (let i = 0; i < some.length; i++) this.send(some[i].asked, served.version, answers[i]);
    } catch (error) {
      if (some.length === 1) this.refuse(some[0].asked, error);
      else for (const own of some) this.predictTogether(model, [own]);
    }
  }

  private learn(asked: Asked, body: Buffer, verb: 'learn' | 'unlearn'): void {
    const { head, id } = asked;
    const { model: name, headers } = head;
    const sole = soleLesson(body);
    const given = sole ? { examples: [sole.example] } : (this.read(body, this.checkLearn) as LearnBody);
    const wishes = { verb, name, id, key: headers['idempotency-key'], ifMatch: headers['if-match'] };
    const work = learnAll(this.service, wishes, given, body, sole?.json);
    this.later(asked, work, (done) => this.send(asked, done.version, done.text));
  }

  private read(body: Buffer, check: Check): unknown {
    return check(parseBody(body, this.service.limits.depth));
  }

  private later<T>(asked: Asked, work: Promise<T>, done: (result: T) => void): void {
    work.then(done, (error) => this.refuse(asked, error));
  }

  private send({ head, id, to, started }: Asked, version: number, text: string): void {
    to.tell({ status: 200, text, id, version, wait: undefined });
    this.notes[head.verb](200, performance.now() - started);
  }

  private refuse({ head, id, to, started }: Asked, error: unknown): void {
    const { metrics } = this.service;
    const own = ownError(error) ?? bug(this.service, error, id);
    metrics.refusedWith(own.code);
    const problem = problemOf(own, id);
    to.tell({
      status: problem.status,
      text: JSON.stringify(problem),
      id,
      version: undefined,
      wait: retryAfter(own.code),
    });
    this.notes[head.verb](problem.status, performance.now() - started);
  }
}

/** The refusal of what is more than can be served in time. */
export const busy = (): PolyaError =>
  new PolyaError('E_OVERLOADED', 'the server has more requests than it can serve in time; try again');

function bug({ log }: Service, error: unknown, id: string): PolyaError {
  log('error', 'bug', { requestId: id, message: String(error), stack: (error as Error).stack?.slice(0, 2000) });
  return new PolyaError('E_INTERNAL', `a bug in Pólya; the log tells more under ${id}`, {}, error);
}

/** Gives back what fits a schema, and refuses the rest as the framework does. */
function checker(schema: TSchema): Check {
  const validator = Compile(schema);
  return (given) => {
    if (validator.Check(given)) return given;
    throw { validation: validator.Errors(given), validationContext: 'body' };
  };
}
