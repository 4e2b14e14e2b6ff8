import type { JSX } from 'preact';
import { calibrations, familyList } from '../../src/workbench.ts';
import { Choice, Slider } from '../parts/choice.tsx';
import { choosesAlpha, hasAlpha } from '../smoothing-setting.ts';
import { change, profile, settings, work } from '../state.ts';
import { percent, texts, whole } from '../texts/index.ts';
import { train } from '../train.ts';
import { Features } from './features.tsx';
import { LeftOut } from './left-out.tsx';

/** The settings of training and evaluation. */
export function Choices(): JSX.Element {
  const { train: say } = texts.value;
  return (
    <section class="card">
      <div class="fields">
        <div class="across">
          <ModelChoice />
        </div>
        <Refinements />
        <Division />
      </div>
      <Features />
      <LeftOut />
      <p class="row">
        <button
          type="button"
          class="main"
          disabled={work.value !== undefined || settings.value.target === ''}
          onClick={() => train()}
        >
          {say.begin}
        </button>
        <span class="soft">Ctrl + Enter</span>
      </p>
    </section>
  );
}

/** The choice of model. `auto` also chooses smoothing and n-grams. */
function ModelChoice(): JSX.Element {
  const { train: say } = texts.value;
  const { model } = settings.value;
  return (
    <Choice
      label={say.model}
      value={model}
      options={[['auto', say.models.auto], ...familyList.map((name) => [name, say.models[name]] as const)]}
      onChange={(name) =>
        change({ model: name, ...(hasAlpha(name) ? {} : { alpha: '' }), ...(name === 'auto' ? { ngrams: '' } : {}) })
      }
    />
  );
}

const same = (values: readonly string[]) => values.map((own) => [own, own] as const);

/** Whether a column is read as text. */
const hasTexts = (): boolean =>
  (profile.value?.columns ?? []).some(({ name, kind }) => (settings.value.kinds[name] ?? kind) === 'text');

/** Smoothing, n-grams, calibration and class weights. */
function Refinements(): JSX.Element {
  const { train: say } = texts.value;
  const { model, alpha, ngrams, calibrate, classWeight } = settings.value;
  return (
    <>
      <Choice
        label={say.smoothing}
        value={alpha}
        options={[
          ['', model === 'auto' || choosesAlpha(model) ? say.auto : hasAlpha(model) ? say.usual : say.noSmoothing],
          ...(hasAlpha(model) ? same(['0', '0.01', '0.1', '0.3', '0.5', '1', '2', '10']) : []),
        ]}
        disabled={!hasAlpha(model)}
        onChange={(own) => change({ alpha: own })}
      />
      {hasTexts() && (
        <Choice
          label={say.words}
          value={ngrams}
          options={[['', say.auto], ...same(['1', '1-2', '1-3', '2'])]}
          onChange={(own) => change({ ngrams: own })}
        />
      )}
      <Choice
        label={say.calibrate}
        value={calibrate}
        options={(['auto', 'none', ...calibrations] as const).map((own) => [own, say.calibrations[own]] as const)}
        onChange={(own) => change({ calibrate: own })}
      />
      <Choice
        label={say.classWeight}
        value={classWeight}
        options={[
          ['', say.noClassWeight],
          ['balanced', say.balanced],
        ]}
        onChange={(own) => change({ classWeight: own })}
      />
    </>
  );
}

/** The seconds that a search may take; the last step sets no limit. */
const BUDGETS: readonly number[] = [1, 2, 5, 10, 30, 60, 120, 300, 0];

/** The time of the search among models, the share of held-out rows and the random seed. */
function Division(): JSX.Element {
  const { train: say } = texts.value;
  const { model, budget, holdout, seed } = settings.value;
  const at = BUDGETS.indexOf(budget);
  return (
    <>
      {model === 'auto' && (
        <Slider
          label={say.budget}
          value={at < 0 ? BUDGETS.length - 1 : at}
          {...{ min: 0, max: BUDGETS.length - 1, step: 1 }}
          shown={budget > 0 ? say.seconds(whole(budget)) : say.noBudget}
          onInput={(own) => change({ budget: BUDGETS[own] })}
        />
      )}
      <Slider
        label={say.holdout}
        value={holdout}
        {...{ min: 0.05, max: 0.5, step: 0.05 }}
        shown={percent(holdout)}
        onInput={(own) => change({ holdout: Math.round(own * 100) / 100 })}
      />
      <label class="field">
        <span>{say.seed}</span>
        <input
          type="number"
          min="0"
          max="4294967295"
          value={seed}
          onInput={(event) => change({ seed: Number(event.currentTarget.value) || 0 })}
        />
      </label>
    </>
  );
}
