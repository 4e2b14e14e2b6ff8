export { countLines, goToLine, goToText, lineStart, textPlace } from './corpus';
export { createLexicon, intern, size, wordLength, wordStart } from './lexicon';
export { lowercase } from './letters';
export { ask, lineText, lineTextLength } from './lines';
export { take } from './memory';
export { orderWords } from './order';
export { askRows, cellsOf, clearRows, endRow, noteNumber, noteText, rowsAt, rowsNoted } from './rows';
export { begin, found, foundCount, push, rewind, scan } from './scan';
export { makeSheaf, makeSheaves, sheafCells } from './sheaf';
export { follow, keepMet, markMet, placesIn, pour, poured } from './sums';
export {
  clearKept,
  keepWords,
  keptCounts,
  keptSize,
  keptWords,
  tally,
  tallyAgain,
  tallyFrequencies,
  tallyOf,
  tallySize,
} from './tally';
export { internAll, writeWords } from './written';
