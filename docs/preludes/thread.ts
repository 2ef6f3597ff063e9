import { Spillway } from '@spillway/client';

declare const spillway: Spillway;
const thread = spillway.thread('orders');
