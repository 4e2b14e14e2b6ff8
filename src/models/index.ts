import type { Model } from '../core/model.ts';
import { bernoulli } from './bernoulli.ts';

// biome-ignore lint/suspicious/noExplicitAny: each model has its own statistic, parameters and options
type AnyModel = Model<any, any, any>;

/** Every model by name: the one registry. */
export const models: Readonly<Record<string, AnyModel>> = { bernoulli };
