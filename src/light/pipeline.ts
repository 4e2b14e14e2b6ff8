import { Chain } from '../estimators/chain.ts';
import { type Chained, type Link, type NamedSteps, nameSteps } from '../estimators/pipeline-step.ts';

export { Chain as Pipeline };

/** A pipeline of steps that are called by their classes: `makePipeline(new CountVectorizer(), new MultinomialNB())`. */
export function makePipeline<const Steps extends readonly Link[]>(...steps: Steps & Chained<Steps>): Chain<Steps> {
  return new Chain<Steps>(nameSteps(steps) as unknown as NamedSteps<Steps>);
}
