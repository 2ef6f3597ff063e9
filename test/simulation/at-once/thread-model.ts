/** What a thread is to its clients, without Postgres, processes or time: requests change it one after another. */
export interface ModelThread {
  messages: readonly ModelMessage[];
  next: number;
  /** What each key of a rewind did. */
  rewinds: ReadonlyMap<string, { to: number; messages: number }>;
  generations: readonly ModelGeneration[];
  /** The summary that contexts show; 0 for none. */
  active: number;
  metadata: string;
  /** Those that clients added. */
  instructions: readonly ModelInstruction[];
  /** The messages that each fork was made with. */
  forks: ReadonlyMap<string, { at: number; messages: readonly ModelMessage[] }>;
}

export interface ModelInstruction {
  id: string;
  text: string;
  isDismissed: boolean;
}

export interface ModelMessage {
  seq: number;
  id: string;
  content: string;
  isErased: boolean;
  hold: 'keep' | 'release' | null;
  /** The first seq whose contexts are without it; 0 while it is in the context. */
  rewoundBefore: number;
}

export interface ModelGeneration {
  generation: number;
  to: number;
  text: string;
  asOf: number;
  replaces: number;
  restoredFrom: number;
  isWithdrawn: boolean;
  isRewound: boolean;
  isUndone: boolean;
}

export const emptyThread: ModelThread = {
  messages: [],
  next: 1,
  rewinds: new Map(),
  generations: [],
  active: 0,
  metadata: '',
  instructions: [],
  forks: new Map(),
};

export const liveOf = ({ messages }: Pick<ModelThread, 'messages'>): ModelMessage[] =>
  messages.filter(({ rewoundBefore }) => rewoundBefore === 0);

export const headOf = (thread: ModelThread): number => liveOf(thread).at(-1)?.seq ?? 0;

export const generationOf = (thread: ModelThread, n: number): ModelGeneration | undefined =>
  thread.generations.find(({ generation }) => generation === n);

const erasedText = '[This message was erased.]';

export const contentOf = ({ content, isErased }: ModelMessage): string => (isErased ? erasedText : content);

export function appended(
  thread: ModelThread,
  fresh: readonly { id: string; content: string }[],
): ModelThread {
  const marks = { isErased: false, hold: null, rewoundBefore: 0 };
  const added = fresh.map((one, i) => ({ ...one, seq: thread.next + i, ...marks }));
  return { ...thread, messages: [...thread.messages, ...added], next: thread.next + fresh.length };
}

const lastGeneration = ({ generations }: ModelThread): number => generations.at(-1)?.generation ?? 0;

/** Makes a generation the active one: a new one, or a copy of an older one. */
export function withGeneration(
  thread: ModelThread,
  made: Pick<ModelGeneration, 'to' | 'text' | 'replaces' | 'restoredFrom'>,
): ModelThread {
  const generation = lastGeneration(thread) + 1;
  const marks = { isWithdrawn: false, isRewound: false, isUndone: false };
  const row = { generation, asOf: thread.next - 1, ...made, ...marks };
  return { ...thread, generations: [...thread.generations, row], active: generation };
}

export const stateOf = ({ active }: ModelThread, one: ModelGeneration): string => {
  if (one.isWithdrawn) return 'withdrawn';
  if (one.isRewound) return 'rewound';
  if (one.isUndone) return 'undone';
  return one.generation === active ? 'active' : 'replaced';
};

const marked = (
  thread: ModelThread,
  is: (one: ModelGeneration) => boolean,
  mark: Partial<ModelGeneration>,
): ModelThread => ({
  ...thread,
  generations: thread.generations.map((one) => (is(one) ? { ...one, ...mark } : one)),
});

const isShowable = (one: ModelGeneration | undefined): one is ModelGeneration =>
  one !== undefined && !one.isWithdrawn && !one.isRewound;

export function rewound(thread: ModelThread, to: number, key: string): ModelThread {
  const gone = liveOf(thread).filter(({ seq }) => seq > to).length;
  const active = generationOf(thread, thread.active);
  const messages = thread.messages.map((one) =>
    one.seq > to && one.rewoundBefore === 0 ? { ...one, rewoundBefore: thread.next } : one,
  );
  const rewinds = new Map(thread.rewinds).set(key, { to, messages: gone });
  const ended = marked({ ...thread, messages, rewinds }, (one) => one.to > to, { isRewound: true });
  if (!active || active.to <= to) return ended;
  const older = thread.generations.filter((one) => one.to <= to && isShowable(one) && !one.isUndone).at(-1);
  return older ? copied(ended, older, older.replaces) : { ...ended, active: 0 };
}

export const copied = (thread: ModelThread, older: ModelGeneration, replaces: number): ModelThread =>
  withGeneration(thread, { to: older.to, text: older.text, replaces, restoredFrom: older.generation });

export function undone(
  thread: ModelThread,
  generation: ModelGeneration,
): { thread: ModelThread; from: number } {
  const before = generation.replaces === 0 ? undefined : generationOf(thread, generation.replaces);
  const after = marked(thread, (one) => one === generation, { isUndone: true });
  return isShowable(before)
    ? { thread: copied(after, before, before.replaces), from: before.generation }
    : { thread: { ...after, active: 0 }, from: 0 };
}

export const held = (
  thread: ModelThread,
  { from, to, hold }: { from: number; to: number; hold: 'keep' | 'release' },
): ModelThread => ({
  ...thread,
  messages: thread.messages.map((one) =>
    from <= one.seq && one.seq <= to && one.rewoundBefore === 0 && !one.isErased ? { ...one, hold } : one,
  ),
});

export function erased(thread: ModelThread, seq: number): ModelThread {
  const message = thread.messages.find((one) => one.seq === seq);
  // Summaries that were made since it was erased hold nothing of it.
  if (!message || message.isErased) return thread;
  const { rewoundBefore } = message;
  const withdrawn = new Set(
    thread.generations
      .filter(({ to, asOf, restoredFrom }) => {
        // Whoever wrote it may tell of all that was there by then.
        const through = restoredFrom === 0 ? asOf : to;
        return seq <= through && !(rewoundBefore >= 1 && rewoundBefore <= asOf);
      })
      .map((one) => one.generation),
  );
  // Each summary here is the first of a chain of its own: what was made from another one was copied from it.
  for (const one of thread.generations) if (withdrawn.has(one.restoredFrom)) withdrawn.add(one.generation);
  const messages = thread.messages.map((one) =>
    one === message ? { ...one, isErased: true, hold: null } : one,
  );
  const after = marked({ ...thread, messages }, (one) => withdrawn.has(one.generation), {
    isWithdrawn: true,
  });
  return withdrawn.has(thread.active) ? { ...after, active: 0 } : after;
}
