export * from './llm-settings.js';
export { approachCount, approachOf } from './approach.js';
export * from './keep-facts.js';
export { isProviderTrouble } from './provider-gate.js';
export { promptVersion } from './prompts/rules.js';
export { shapeOf } from './summary-shape.js';
export * from './summarizer.js';
export * from './summarizers/llm.js';
export * from './summarizers/extractive/extractive.js';
