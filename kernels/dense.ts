export { bells } from './dense-bells';
export { images, squares } from './dense-images';
export { linear } from './dense-linear';
export { moments } from './dense-moments';
export { scatter } from './dense-scatter';
