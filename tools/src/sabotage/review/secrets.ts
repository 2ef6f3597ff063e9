import type { Guard } from '../guard.js';

const credentials = 'test/trust/credentials.test.ts';
const webhooks = 'test/events/webhook-secrets.test.ts';
const images = 'test/deploy/images.test.ts';

/** Secrets, where they are kept, and what processes may do with them. */
export const guardsOfSecrets: Guard[] = [
  {
    name: 'a changed bootstrap key revokes the one before',
    file: 'libs/store/src/access/api-keys.ts',
    find: 'WHERE own.live AND k.project_id = $1 AND k.is_bootstrap',
    replace: 'WHERE own.live AND k.project_id = $1 AND NOT k.is_bootstrap',
    findings: ['security L5'],
    test: {
      file: credentials,
      name: 'that was changed revokes the one before, and going back does not bring that to life',
    },
  },
  {
    name: 'of a bootstrap key that a person chose nothing is shown',
    file: 'libs/service/src/access/keys.ts',
    find: "key.slice(0, 8) : 'custom'",
    replace: 'key.slice(0, 8) : key.slice(0, 8)',
    findings: ['security L5'],
    test: { file: credentials, name: 'that a person chose is not shown in part' },
  },
  {
    name: 'secrets of webhooks are bound to their webhook',
    file: 'libs/service/src/access/secret-box.ts',
    find: 'createCipheriv(algorithm, current.bytes, iv).setAAD(Buffer.from(owner))',
    replace: 'createCipheriv(algorithm, current.bytes, iv)',
    findings: ['security L7'],
    test: {
      file: 'libs/service/src/access/secret-box.test.ts',
      name: 'a secret is stored encrypted, differently each time, and opens for its owner alone',
    },
  },
  {
    name: 'secrets of webhooks are stored encrypted',
    file: 'libs/service/src/webhooks/webhooks.ts',
    find: 'const sealed = rt.secrets.seal(secret, ownerOf({ projectId, id }))',
    replace: 'const sealed = secret',
    findings: ['security L7'],
    test: {
      file: webhooks,
      name: 'A107 its secret is stored encrypted, and one that was stored as plain text is encrypted at the next start',
    },
  },
  {
    name: 'a secret that no key opens is not kept beside the new one',
    file: 'libs/service/src/webhooks/webhooks.ts',
    find: ' && canOpen(rt, webhook, webhook.secret)',
    replace: ' && canOpen !== undefined',
    test: {
      file: webhooks,
      name: 'after the key of the server was lost, a webhook with a new secret delivers, also after the next change of the key',
    },
  },
  {
    name: 'a previous secret that no key opens does not sign',
    file: 'libs/service/src/webhooks/webhook-secret.ts',
    find: 'kept !== null && canOpen(rt, webhook, kept)',
    replace: 'kept !== null',
    test: {
      file: webhooks,
      name: 'after the key of the server was lost, a webhook with a new secret delivers, also after the next change of the key',
    },
  },
  {
    name: 'the secret before signs during the overlap',
    file: 'libs/service/src/webhooks/webhook-secret.ts',
    find: '[webhook.secret, previous]',
    replace: "[webhook.secret, previous === '' ? previous : null]",
    findings: ['security L7'],
    test: {
      file: webhooks,
      name: 'A107 a new secret and the one before sign side by side, until the overlap is over',
    },
  },
  {
    name: 'webhooks use https unless the operator allows the host',
    file: 'libs/service/src/outbound/outbound-url.ts',
    find: "url.protocol === 'http:' && !allowed.has(hostOf(url))",
    replace: "url.protocol === 'ftp:' && !allowed.has(hostOf(url))",
    findings: ['security L7'],
    test: {
      file: webhooks,
      name: 'A108 its URL is https unless the operator allows the host, and stands in the audit log without user and query',
    },
  },
  {
    name: 'the runtime role inherits no rights',
    file: 'libs/store/src/migrations/runtime-role.ts',
    find: 'CREATE ROLE ${name} LOGIN NOINHERIT $',
    replace: 'CREATE ROLE ${name} LOGIN INHERIT $',
    findings: ['security L3'],
    test: {
      file: 'test/trust/runtime-role.test.ts',
      name: 'reads nothing once it has put off the role that row-level security binds',
    },
  },
  {
    name: 'the build of an image does not see .env',
    file: '.dockerignore',
    find: '**/.env\n',
    replace: '',
    findings: ['security H3'],
    test: { file: images, name: 'files with secrets are not part of the build context' },
  },
  {
    name: 'an image takes what runs and not the whole build',
    file: 'deploy/Dockerfile.api',
    find: 'COPY --from=build --chown=root:root /image ./',
    replace: 'COPY --from=build --chown=root:root /spillway ./',
    findings: ['security H3'],
    test: { file: images, name: 'an image takes what runs out of the build, not the whole of it' },
  },
  {
    name: 'compose gives Redis a password',
    file: 'docker-compose.yml',
    find: "printf 'requirepass %s",
    replace: "printf 'maxclients %s",
    findings: ['security L4'],
    test: {
      file: images,
      name: 'reaches Postgres as a role that is not its owner, and Redis with a password that no argument holds',
    },
  },
];
