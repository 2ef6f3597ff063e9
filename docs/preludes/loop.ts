import { Spillway } from '@spillway/client';

declare const spillway: Spillway;
declare const id: string;
declare const model: string;
declare const system: string;
declare const content: string;
declare const ownTools: { type: 'function'; function: object }[];
/** What the provider's SDK answers with, and the results of its calls. */
declare const answer: object;
declare const usage: object;
declare const allResults: object[];
