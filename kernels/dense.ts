export { linear } from './dense-linear';
export { affine, normal } from './dense-rows';
export { moments, scatter } from './dense-sums';
