export { cellOf, type DataRow, isBlank, isMarker, numberOf, wordOf } from '../data/cells.ts';
