import { useKernels } from './use-kernels.ts';

// Where modules are loaded as they are, as Node does, kernels are in use. A bundler leaves this out, since the package says that its
// modules have no effects: there nothing but speed depends on it, and who wants it calls `useKernels`.
useKernels();
