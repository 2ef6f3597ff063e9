import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { RefusalLog, Runtime } from '@spillway/service';
import { AttemptsController } from './admin/attempts.controller.js';
import { AttentionController } from './admin/attention.controller.js';
import { AuditController } from './admin/audit.controller.js';
import { KeysController } from './admin/keys.controller.js';
import { ProjectsController } from './admin/projects.controller.js';
import { QueueController } from './admin/queue.controller.js';
import { ServerController } from './admin/server.controller.js';
import { SystemController } from './admin/system.controller.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { SessionsController } from './auth/sessions.controller.js';
import { BackupsController } from './backups/backups.controller.js';
import { ChatController } from './chat/chat.controller.js';
import { ContextController } from './context/context.controller.js';
import { ExportController } from './export/export.controller.js';
import { EventsController } from './events/events.controller.js';
import { HealthController } from './health/health.controller.js';
import { QueryGuard } from './admission/query.guard.js';
import { ProblemFilter } from './http/problem.filter.js';
import { HistoryController } from './threads/history.controller.js';
import { InstructionsController } from './instructions/instructions.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { MapController } from './threads/map.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { OutputsController } from './outputs/outputs.controller.js';
import { ModelsController } from './policies/models.controller.js';
import { PoliciesController } from './policies/policies.controller.js';
import { GeminiController } from './proxies/gemini.controller.js';
import { ProxiesController } from './proxies/proxies.controller.js';
import { REFUSALS, RUNTIME } from './runtime.js';
import { SearchController } from './search/search.controller.js';
import { CompactionsController } from './summaries/compactions.controller.js';
import { SummariesController } from './summaries/summaries.controller.js';
import { ThreadsController } from './threads/threads.controller.js';
import { ThreadTokensController } from './tokens/thread-tokens.controller.js';
import { ToolsController } from './tools/tools.controller.js';
import { UpstreamsController } from './upstreams/upstreams.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

@Module({})
export class AppModule {
  static with(rt: Runtime, refusals: RefusalLog): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        ThreadsController,
        ToolsController,
        McpController,
        ThreadTokensController,
        MessagesController,
        ContextController,
        HistoryController,
        ChatController,
        ProxiesController,
        GeminiController,
        SearchController,
        MapController,
        ExportController,
        CompactionsController,
        SummariesController,
        InstructionsController,
        OutputsController,
        BackupsController,
        PoliciesController,
        ModelsController,
        UpstreamsController,
        QueueController,
        AttemptsController,
        AttentionController,
        UsageController,
        KeysController,
        ProjectsController,
        AuditController,
        SessionsController,
        EventsController,
        WebhooksController,
        ServerController,
        SystemController,
        HealthController,
      ],
      providers: [
        { provide: RUNTIME, useValue: rt },
        { provide: REFUSALS, useValue: refusals },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}
