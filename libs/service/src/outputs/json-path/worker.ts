export { evaluatePath } from './evaluate.js';
