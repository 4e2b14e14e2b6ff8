export { bells } from './dense-bells';
export { moments } from './dense-moments';
export { scatter } from './dense-scatter';
