export { bells } from './dense-bells';
export { decide, within } from './dense-decide';
export { images, squares } from './dense-images';
export { linear } from './dense-linear';
export { moments } from './dense-moments';
export { planes } from './dense-planes';
export { scatter } from './dense-scatter';
