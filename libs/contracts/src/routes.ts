import { administrationRoutes } from './routes/administration.js';
import { backupsRoutes } from './routes/backups.js';
import { compactionRoutes } from './routes/compaction.js';
import { eventsRoutes } from './routes/events.js';
import { geminiRoutes } from './routes/gemini.js';
import { instructionsRoutes } from './routes/instructions.js';
import { messagesRoutes } from './routes/messages.js';
import { outputsRoutes } from './routes/outputs.js';
import { policiesRoutes } from './routes/policies.js';
import { projectsRoutes } from './routes/projects.js';
import { proxiesRoutes } from './routes/proxies.js';
import type { Route } from './routes/route.js';
import { threadTokensRoutes } from './routes/thread-tokens.js';
import { toolsRoutes } from './routes/tools.js';
import { threadsRoutes } from './routes/threads.js';
import { upstreamsRoutes } from './routes/upstreams.js';

export type { Route, RouteExample } from './routes/route.js';
export { outputId } from './routes/outputs.js';

/** The whole API, keyed by "METHOD /path". */
export const routes: Record<string, Route> = {
  ...threadsRoutes,
  ...backupsRoutes,
  ...messagesRoutes,
  ...compactionRoutes,
  ...instructionsRoutes,
  ...toolsRoutes,
  ...proxiesRoutes,
  ...geminiRoutes,
  ...threadTokensRoutes,
  ...outputsRoutes,
  ...eventsRoutes,
  ...policiesRoutes,
  ...upstreamsRoutes,
  ...administrationRoutes,
  ...projectsRoutes,
};
