export { kindOfSentence } from './classify.js';
export * from './instruction.js';
export * from './instructions-in.js';
export * from './render.js';
export * from './updates.js';
