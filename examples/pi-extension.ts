/**
 * An extension of pi: `pi -e pi-extension.ts`, or saved in `.pi/extensions`. Each session is a thread in Spillway. Set
 * SPILLWAY_URL and SPILLWAY_KEY.
 */
import { createSpillway } from '@spillway/pi';

const { SPILLWAY_URL: baseUrl = 'http://localhost:4000', SPILLWAY_KEY: key = '' } = process.env;
export default createSpillway({ baseUrl, key }).extension;
