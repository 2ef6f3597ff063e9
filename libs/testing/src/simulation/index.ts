export * from './chance.js';
export { openGate, openMemoryStore } from './memory/memory-store.js';
export { Tables } from './memory/tables.js';
export { runLives } from './run-lives.js';
