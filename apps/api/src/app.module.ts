import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Runtime } from '@spillway/service';
import { QueueController } from './admin/queue.controller.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { ChatController } from './chat/chat.controller.js';
import { ContextController } from './context/context.controller.js';
import { HealthController } from './health/health.controller.js';
import { ProblemFilter } from './http/problem.filter.js';
import { MessagesController } from './messages/messages.controller.js';
import { OutputsController } from './outputs/outputs.controller.js';
import { PoliciesController } from './policies/policies.controller.js';
import { RUNTIME } from './runtime.js';
import { SearchController } from './search/search.controller.js';
import { CompactionsController } from './summaries/compactions.controller.js';
import { SummariesController } from './summaries/summaries.controller.js';
import { ThreadsController } from './threads/threads.controller.js';

@Module({})
export class AppModule {
  static with(rt: Runtime): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        ThreadsController,
        MessagesController,
        ContextController,
        ChatController,
        SearchController,
        CompactionsController,
        SummariesController,
        OutputsController,
        PoliciesController,
        QueueController,
        HealthController,
      ],
      providers: [
        { provide: RUNTIME, useValue: rt },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}
