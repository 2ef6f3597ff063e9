import { loadCounter, presets, type MessageCounter, type PolicyInput } from '@spillway/engine';
import {
  agentScopeCut,
  chronosCut,
  dawnCut,
  hasTrajectories,
  loadSamples,
  loadTrajectories,
  trajectoriesFolder,
  type Trajectory,
} from '@spillway/testing';
import { round, type BenchResult, type Row } from '../bench.js';
import { countedMessage, dawnThreshold } from './counted-message.js';
import { OurThread } from './our-thread.js';
import { add, nothingSent, type Sent } from './sent.js';
import { replayTheirs, type Theirs } from './their-thread.js';

const windows = [16_000, 32_000];

/**
 * Tokens a model is sent over whole real runs: with all of the history, by the rules of the systems Spillway
 * replaces, and by Spillway with their presets and its own defaults. Theirs as they are documented, whether what they
 * send can be sent or not; ours on the real engine, every context checked.
 */
export async function savings(): Promise<BenchResult> {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const threads = hasTrajectories() ? loadTrajectories() : loadSamples();
  console.log(
    `savings: ${threads.length} threads of ${hasTrajectories() ? trajectoriesFolder() : 'samples/'}`,
  );
  const plain = threads.map(({ messages }) => messages.map((message) => countedMessage(message, counter)));
  const rows: Row[] = [];
  const complaints: string[] = [];
  for (const window of windows) {
    const theirs = (rule: Theirs): Sent => {
      const total = nothingSent();
      for (const messages of plain) add(total, replayTheirs(messages, rule, window));
      return total;
    };
    const full = theirs({ shown: ({ plain }) => plain.tokens, cut: () => ({ due: false, keepFrom: null }) });
    const row = (what: string, sent: Sent, isOurs = false, headline?: Row['headline']): void => {
      rows.push({
        what: `${window / 1000} k: ${what}`,
        value: `${round(sent.tokens / 1e6, 2)} M tokens (${round((100 * sent.tokens) / full.tokens, 0)} % of all)`,
        against: `${sent.over} over the window, ${sent.invalid} invalid of ${sent.turns} calls; ${sent.compactions} compactions, ${sent.repeated} right after another${isOurs ? '' : `; ${sent.stuck} threads over the trigger and never compacted`}`,
        target: isOurs ? 'none over, none invalid' : '',
        reached: isOurs ? sent.over + sent.invalid === 0 : null,
        ...(isOurs && {
          guarded: {
            'share of all tokens': { value: sent.tokens / full.tokens, better: 'less', within: 0.02 },
            compactions: { value: sent.compactions, better: 'less', within: 0.02 },
          },
        }),
        ...(headline && { headline }),
      });
      if (isOurs && sent.over + sent.invalid > 0)
        complaints.push(`${what} at ${window}: ${sent.over} over, ${sent.invalid} invalid`);
      if (isOurs && sent.compactions === 0) complaints.push(`${what} at ${window}: nothing was compacted`);
    };
    row('full history', full);
    row("Dawn's rules", theirs(dawn));
    row("Chronos's rules", theirs(chronos(window)));
    row("AgentScope's rules", theirs(agentScope(window)));
    for (const [name, policy] of Object.entries(presets)) {
      row(`Spillway, preset ${name}`, await ours(threads, policy, window, counter), true);
    }
    const headline = {
      what: `Tokens sent to a model over ${threads.length} recorded runs in a window of ${window / 1000} k`,
      against: `${round(full.tokens / 1e6, 2)} M of the whole history, which does not fit ${full.over} of ${full.turns} times`,
    };
    const isLast = window === windows.at(-1);
    row('Spillway, defaults', await ours(threads, {}, window, counter), true, isLast ? headline : undefined);
  }
  const about = `Tokens that a model is sent over ${threads.length} recorded runs: with the whole history, by the rules of the systems that Spillway replaces, and by Spillway with their presets and with its defaults. One counter for all; every context of ours is checked.`;
  return { name: 'savings', about, rows, complaints };
}

async function ours(
  threads: readonly Trajectory[],
  policy: PolicyInput,
  window: number,
  counter: MessageCounter,
): Promise<Sent> {
  const total = nothingSent();
  for (const { messages } of threads) {
    const thread = new OurThread(
      // The same counter for all, so that a share is a share of the same tokens.
      { ...policy, context: { ...policy.context, counter: 'o200k' } },
      window,
      counter,
    );
    for (const message of messages) await thread.post(message);
    add(total, thread.sent);
  }
  return total;
}

/** Size, limit, handle and how to read the rest, as long as our own stub's two sentences. */
const pointerTokens = 100;

/** Ten lines of a result over the threshold, and how to read the rest. */
const dawn: Theirs = {
  shown: ({ plain, characters, tenLines }) =>
    plain.role === 'tool' && characters > dawnThreshold
      ? Math.min(plain.tokens, tenLines + pointerTokens)
      : plain.tokens,
  cut: (live, tokens) => dawnCut(live, tokens, { maxTokens: 12_000, keepRecentTurns: 6 }),
};

/** With each chat all of the conversation comes back, beside the summary; tool messages were not stored. */
const chronos = (limit: number): Theirs => ({
  shown: ({ plain }) => plain.tokens,
  cut: (live, tokens) => chronosCut(live, tokens, { limit, threshold: 0.8, pairs: 5 }),
  reload: (all) => all.filter(({ role }) => role !== 'tool').map((message) => ({ ...message, calls: [] })),
});

/** Truncated at its limit, with a pointer to the whole. */
const agentScopeLimit = 3_000;
const agentScope = (window: number): Theirs => ({
  shown: ({ plain: { role, tokens } }) =>
    role === 'tool' && tokens > agentScopeLimit ? Math.min(tokens, agentScopeLimit + pointerTokens) : tokens,
  cut: (live, tokens) => agentScopeCut(live, tokens, { window, triggerRatio: 0.8, reserveRatio: 0.1 }),
});
