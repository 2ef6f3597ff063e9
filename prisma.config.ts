import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

process.env.CHECKPOINT_DISABLE ??= '1';
if (process.env.SPILLWAY_NATIVE_ENGINE !== '1') {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
    new URL('prisma/schema-engine.mjs', import.meta.url),
  );
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: {
    url: process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/spillway',
    shadowDatabaseUrl: process.env.SHADOW_DATABASE_URL,
  },
});
