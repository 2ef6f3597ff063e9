import { createSpillway } from '@spillway/ai-sdk';
import { ToolLoopAgent, type LanguageModel, type ModelMessage, type ToolSet } from 'ai';

declare const baseUrl: string;
declare const key: string;
declare const id: string;
declare const model: LanguageModel;
declare const instructions: string;
declare const own: ToolSet;
declare const messages: ModelMessage[];
