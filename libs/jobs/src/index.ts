export * from './catalogue.js';
export * from './consumer.js';
export * from './hints.js';
export * from './job.js';
