export { checkCodeBlocks, type CodeBlockReport } from './code-blocks/check-code-blocks.js';
