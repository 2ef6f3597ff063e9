export * from './chance.js';
export { simulate } from './in-threads.js';
export { openGate, openMemoryStore } from './memory/memory-store.js';
export { Tables } from './memory/tables.js';
export { SimulatedProcess } from './process.js';
