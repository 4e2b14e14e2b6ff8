export { bagCounts, bagIds, bagUnknown, makeBag } from './bag';
export { createOrder, dropOrder, textOrder } from './bag-order';
export { bagsCounts, bagsIds, bagsStatus, bagsTotal, bagsUnknown, clearBags, keepBag, readBags } from './bags';
export {
  beginCounting,
  carry,
  carryOf,
  countDocument,
  countDocuments,
  countedLength,
  countStatus,
  createColumn,
  dropColumn,
  freshTerms,
  gatherColumn,
  listCarries,
  mergeColumn,
  reserveColumn,
  unknownTerms,
} from './counts';
export { fold, isAscii, newPage, setLowercase, stuckAt } from './fold';
export { intern } from './lexicon';
export { give, take } from './memory';
export { giveTerms, orderTerms, termEnds, writeTerms } from './order-terms';
export { findUnasked, scoreBags, unaskedCount, unaskedTerms } from './scores';
export {
  child,
  findTerms,
  internTerms,
  joinWords,
  lexicon,
  reserveWords,
  setAnalyzer,
  setStops,
  setWords,
  termsKnown,
} from './terms';
