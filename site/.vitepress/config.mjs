export { default } from '../dist/config.js';
