import { writeFileSync } from 'node:fs';
import { openApiDocument } from './http/openapi.js';

/** Writes the OpenAPI document where the client is generated from, or to the file named. `npm run generate` runs it. */
const target = process.argv[2] ?? new URL('../../../libs/client/openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
