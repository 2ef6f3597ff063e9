export { kindOfSentence } from './classify.js';
export { cuesOf } from './cues/cues-of.js';
export { sentencesIn } from './own-words.js';
export * from './instruction.js';
export * from './instructions-in.js';
export * from './render.js';
export * from './updates.js';
export { kindByRules, kindOfWords } from './rules.js';
