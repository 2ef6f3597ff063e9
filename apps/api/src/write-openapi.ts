import { writeFileSync } from 'node:fs';
import { openApiDocument } from './http/openapi.js';

/** Writes the OpenAPI document to the client's folder, or to the file named. `npm run generate` runs it. */
const target = process.argv[2] ?? new URL('../../../libs/client/openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
