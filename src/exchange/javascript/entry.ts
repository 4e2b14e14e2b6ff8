/** What exported JavaScript modules are made of; `scripts/exchange.ts` bundles it and cuts it into pieces. */
export { argmax } from '../../math/arrays.ts';
export { explainRow } from '../explain.ts';
export { runRow } from '../run-plan.ts';
export { doubles } from './doubles.ts';
