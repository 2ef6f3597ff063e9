export * from './llm-settings.js';
export { approachOf } from './approach.js';
export * from './keep-facts.js';
export { promptVersion } from './prompts/rules.js';
export { shapeOf } from './summary-shape.js';
export * from './summarizer.js';
export * from './summarizers/llm.js';
export * from './summarizers/extractive/extractive.js';
