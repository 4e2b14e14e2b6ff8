export { countLines, goToLine, goToText, lineStart, textPlace } from './corpus';
export { createLexicon, intern, size, wordLength, wordStart } from './lexicon';
export { ask, lineText, lineTextLength } from './lines';
export { take } from './memory';
export { sortWords } from './order';
export { begin, found, foundCount, lowercase, push, rewind, scan } from './scan';
export { clearTally, tally, tallyDocuments, tallyOf, tallySize } from './tally';
