export * from './llm-settings.js';
export * from './prompt.js';
export * from './summarizer.js';
export * from './summarizers/llm.js';
export * from './summarizers/extractive/extractive.js';
