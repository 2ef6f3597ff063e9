export * from './prompt.js';
export * from './summarizer.js';
export * from './summarizers/ai-sdk.js';
export * from './summarizers/extractive/extractive.js';
