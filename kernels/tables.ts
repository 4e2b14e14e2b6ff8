export { blockCells, blockRows, checkText, reserveText, rowCount, rowsLeft, text } from './block';
export { splitCells } from './cells';
export { findLines, findOdd, hashCells, internCells, parseNumbers, trimCells } from './columns';
export { countLines, dropInput, reserveInput, scanInput, waiting, waitingAt } from './cut';
export { findKeys, jsonCells, openKeys, pickCells, splitJson } from './json';
export { createLexicon, dropLexicon, intern, size, wordBytes, writeWords } from './lexicon';
export { splitLabelled, splitLines } from './lines';
export { give, take } from './memory';
