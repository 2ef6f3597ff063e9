import { costOf, priceOf, type ModelUsage } from '@spillway/engine';
import { promptVersionOf } from '@spillway/llm';
import { recordSpending, type ThreadRow } from '@spillway/store';
import { countSpent } from './count-usage.js';
import type { Runtime } from '../runtime.js';

/** Usage of one attempt's model calls, over all parts of its summary, whether or not a summary resulted. */
export class Spending {
  private readonly usage: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  private model: string | null = null;
  private promptVersion: string | null = null;

  add(model: string, usage: ModelUsage, customPrompt: string | null): void {
    this.model = model;
    this.promptVersion = promptVersionOf(customPrompt);
    this.usage.inputTokens += usage.inputTokens;
    this.usage.outputTokens += usage.outputTokens;
    this.usage.cachedInputTokens += usage.cachedInputTokens;
  }

  /** Whether a model answered and reported its usage. */
  get isSome(): boolean {
    return this.model !== null;
  }

  /**
   * Writes usage to a finished attempt. It is a statistic: a failed write is logged, and the attempt stays committed.
   */
  async record(rt: Runtime, row: ThreadRow): Promise<void> {
    const { model, promptVersion, usage } = this;
    if (model === null || promptVersion === null) return;
    try {
      const { prices } = await rt.settings.project(row.projectId, row.settingsVersion);
      const costUsd = costOf(usage, priceOf(model, prices));
      countSpent(rt, 'summary', usage, costUsd);
      await recordSpending(rt.store.query, {
        projectId: row.projectId,
        threadUid: row.uid,
        epoch: row.leaseEpoch,
        model,
        promptVersion,
        ...usage,
        costUsd,
      });
    } catch (error) {
      rt.log.warn({ err: error, thread: row.uid }, 'what an attempt spent could not be recorded');
    }
  }
}
