/** Judgements are the same at the terminal and over HTTP. */
export * from '../../server/insight/judge.ts';
