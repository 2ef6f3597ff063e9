/**
 * A plugin of opencode: saved in `.opencode/plugins`, or named in `plugin` of opencode.json. Each session is a thread in
 * Spillway. Set SPILLWAY_URL and SPILLWAY_KEY.
 */
import { createSpillway } from '@spillway/opencode';

const { SPILLWAY_URL: baseUrl = 'http://localhost:4000', SPILLWAY_KEY: key = '' } = process.env;
export default createSpillway({ baseUrl, key }).plugin;
