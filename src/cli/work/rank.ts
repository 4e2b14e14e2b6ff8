/** Rankings are the same at the terminal and over HTTP. */
export * from '../../server/insight/rank.ts';
