/** The arrows: apps -> service -> {store, jobs, llm, blobs} -> engine. Neighbours do not know each other. */
const lib = (name) => `^libs/${name}/`;
const only = (name, from, to, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to, pathNot: allowed },
});
const anyOfOurs = '^(apps|libs|tools|bench|site)/';
const oneImporter = (name, library, importer) => ({
  name: `${name}-has-one-importer`,
  severity: 'error',
  from: { path: '^(apps|libs)/', pathNot: importer },
  to: { path: `node_modules/${library}` },
});

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('engine-imports-nothing-of-ours', lib('engine'), anyOfOurs, lib('engine')),
    only('contracts-import-nothing-of-ours', lib('contracts'), anyOfOurs, lib('contracts')),
    only('store-talks-to-engine', lib('store'), anyOfOurs, [lib('store'), lib('engine')]),
    only('jobs-talk-to-engine', lib('jobs'), anyOfOurs, [lib('jobs'), lib('engine')]),
    only('llm-talks-to-engine', lib('llm'), anyOfOurs, [lib('llm'), lib('engine')]),
    only('blobs-talk-to-engine', lib('blobs'), anyOfOurs, [lib('blobs'), lib('engine')]),
    only('service-uses-leaves-and-engine', lib('service'), anyOfOurs, [
      lib('service'),
      lib('store'),
      lib('jobs'),
      lib('llm'),
      lib('blobs'),
      lib('engine'),
      // How a caller's history continues what is recorded: the same for a proxy as for an adapter.
      lib('client'),
    ]),
    only('node-version-imports-nothing-of-ours', lib('node-version'), anyOfOurs, lib('node-version')),
    only('client-imports-nothing-of-ours', lib('client'), anyOfOurs, lib('client')),
    only('adapters-know-the-client-alone', lib('adapters'), anyOfOurs, [lib('adapters'), lib('client')]),
    only('cli-knows-the-client-alone', lib('cli'), anyOfOurs, [lib('cli'), lib('client')]),
    only('embedded-imports-nothing-of-ours', lib('embedded'), anyOfOurs, lib('embedded')),
    only('api-uses-service-and-contracts', '^apps/api/', anyOfOurs, [
      '^apps/api/',
      lib('service'),
      lib('contracts'),
      lib('node-version'),
    ]),
    only('worker-uses-service-and-jobs', '^apps/worker/', anyOfOurs, [
      '^apps/worker/',
      lib('service'),
      lib('jobs'),
      lib('contracts'),
      lib('node-version'),
    ]),
    only('console-knows-the-client-alone', '^apps/console/', anyOfOurs, ['^apps/console/', lib('client')]),
    oneImporter('prisma', '@prisma/', lib('store')),
    oneImporter('bullmq', 'bullmq/', lib('jobs')),
    oneImporter('ai-sdk', '(ai|@ai-sdk)/', '^libs/(llm|adapters/ai-sdk)/'),
    oneImporter('openai-agents', '@openai/agents', '^libs/adapters/openai-agents/'),
    oneImporter('mcp', '@modelcontextprotocol/', '^(apps/api|libs/cli)/'),
    oneImporter('langchain', '(langchain|@langchain)/', '^libs/adapters/langchain/'),
    oneImporter('mastra', '@mastra/', '^libs/adapters/mastra/'),
    oneImporter('anthropic-sdk', '@anthropic-ai/', '^libs/adapters/anthropic/'),
    oneImporter('nest', '@nestjs/', '^apps/(api|worker)/'),
    oneImporter('next', 'next/', '^apps/console/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(dist|\\.next|src/generated)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['@spillway/source', 'import', 'node', 'default', 'types'] },
  },
};
