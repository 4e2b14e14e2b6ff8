import { bench } from './bench.ts';
import { compare } from './compare.ts';
import { config } from './config.ts';
import { data } from './data.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { engine } from './engine.ts';
import { evaluate } from './evaluate.ts';
import { exchange } from './exchange.ts';
import { explain } from './explain.ts';
import { features } from './features.ts';
import { fit } from './fit.ts';
import { info } from './info.ts';
import { init } from './init.ts';
import { inspect } from './inspect.ts';
import { model } from './model.ts';
import { phases } from './phases.ts';
import { predict } from './predict.ts';
import { problems } from './problems.ts';
import { report } from './report.ts';
import { serve } from './serve.ts';
import { studio } from './studio.ts';
import { tune } from './tune.ts';
import { update } from './update.ts';
import { usage } from './usage.ts';

/** Every sentence that the command line says, in one catalogue: another language is another object of this shape. */
export const texts = {
  bench,
  compare,
  config,
  data,
  demo,
  doctor,
  engine,
  evaluate,
  exchange,
  explain,
  features,
  fit,
  info,
  init,
  inspect,
  model,
  phases,
  predict,
  problems,
  report,
  serve,
  studio,
  tune,
  update,
  usage,
} as const;
