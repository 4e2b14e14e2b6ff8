import { loadCareers } from './careers.ts';
import { loadChinaJapan } from './china-japan.ts';
import type { Dataset } from './dataset.ts';
import { loadHouses } from './houses.ts';
import { loadIris } from './iris.ts';
import { loadNews } from './news.ts';
import { loadPostings } from './postings.ts';
import { loadSms } from './sms.ts';
import { loadTitanic } from './titanic.ts';
import { loadWeather } from './weather.ts';

export type { Dataset, SampleCell } from './dataset.ts';
export { loadCareers, loadChinaJapan, loadHouses, loadIris, loadNews, loadPostings, loadSms, loadTitanic, loadWeather };

/** Every sample that comes with Pólya, by its short name. */
export const datasets: ReadonlyMap<string, () => Dataset> = /* @__PURE__ */ new Map([
  ['sms', loadSms],
  ['iris', loadIris],
  ['titanic', loadTitanic],
  ['news', loadNews],
  ['weather', loadWeather],
  ['postings', loadPostings],
  ['careers', loadCareers],
  ['china-japan', loadChinaJapan],
  ['houses', loadHouses],
]);
