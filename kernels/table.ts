export { askFields, fieldBounds, fieldQuotes, fieldsForeign, goToRow, nextRow, rowStart } from './fields';
export { askLevels, classCells, countLevels, levelTable, lexiconOf, rowsCounted } from './levels';
export { size, wordLength, wordStart } from './lexicon';
export { take } from './memory';
