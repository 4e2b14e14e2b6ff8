import { bench } from './commands/bench.ts';
import { calibrate } from './commands/calibrate.ts';
import { compare } from './commands/compare.ts';
import { completion } from './commands/completion.ts';
import { datasets } from './commands/datasets.ts';
import { demo } from './commands/demo.ts';
import { doctor } from './commands/doctor.ts';
import { evaluate } from './commands/evaluate.ts';
import { explain } from './commands/explain.ts';
import { exportModel } from './commands/export.ts';
import { features } from './commands/features.ts';
import { fit } from './commands/fit.ts';
import { help } from './commands/help.ts';
import { importModel } from './commands/import.ts';
import { info } from './commands/info.ts';
import { init } from './commands/init.ts';
import { inspect } from './commands/inspect.ts';
import { merge } from './commands/merge.ts';
import { predict } from './commands/predict.ts';
import { report } from './commands/report.ts';
import { serve } from './commands/serve.ts';
import { studio } from './commands/studio.ts';
import { tune } from './commands/tune.ts';
import { unlearn } from './commands/unlearn.ts';
import { update } from './commands/update.ts';
import type { Command } from './declare.ts';

/** All commands, in the order of the help. A declaration is light; what it does is loaded when it is called. */
export const commands = [
  demo,
  inspect,
  init,
  fit,
  predict,
  evaluate,
  explain,
  features,
  tune,
  compare,
  update,
  unlearn,
  merge,
  calibrate,
  report,
  exportModel,
  importModel,
  info,
  serve,
  studio,
  bench,
  datasets,
  completion,
  doctor,
  help,
] as unknown as readonly Command[];
