import type { Schemas } from '@spillway/client';
import { apiOf, randomOf, until, type Api } from '@spillway/testing';
import { expect } from 'vitest';

type Context = Schemas['Context'];
type Listed = Schemas['MessageList']['data'][number];

interface Sent {
  seq: number;
  content: string;
  role: string;
  rewound: boolean;
}

export interface EditingClientOptions {
  thread: string;
  key: string;
  /** Of the APIs, some of which may be away. */
  urls: () => string[];
  seed: number;
  /** Folds happen: contexts hold a summary, and are compared message by message only after it. */
  folds: boolean;
}

/**
 * An agent that edits the history of one thread: it appends, rewinds, and reads with `since`. It repeats a request until
 * it has an answer, as clients do, and compares every answer with its own record of the thread.
 */
export class EditingClient {
  readonly thread: string;
  rewinds = 0;
  replays = 0;
  compared = 0;
  /** Contexts with a summary that were read. */
  summarized = 0;
  failures = 0;
  answers = 0;
  /** Every message that was acknowledged, in order. */
  private readonly sent: Sent[] = [];
  /** What the thread has shown after each request, as JSON; a reader may see the newest before it is acknowledged. */
  private readonly states: string[] = ['[]'];
  private acknowledged = 0;
  /** Contexts by their newest message, as they were served. */
  private readonly servedAt = new Map<number, Context['messages']>();
  private held: { fingerprint: string; messages: Context['messages'] } = {
    fingerprint: '0'.repeat(64),
    messages: [],
  };
  /**
   * Newest messages that an append named without being answered. It may still run, and a rewind to the same
   * message would let it in: a rewound message frees its id.
   */
  private readonly unsure = new Set<number>();
  private readonly random;
  private next = 0;

  constructor(private readonly options: EditingClientOptions) {
    this.thread = options.thread;
    this.random = randomOf(options.seed);
  }

  /** One request and what it must answer. */
  async step(): Promise<void> {
    const live = this.live();
    if (live.length >= 4 && this.random.chance(0.2)) await this.rewind(live);
    else await this.append();
    await this.read();
  }

  /** Reads as another process does, while this client waits for answers. */
  async watch(): Promise<void> {
    const before = this.acknowledged;
    const rewound = this.rewound();
    const { status, body } = await this.api().call<Context>('GET', `/v1/threads/${this.thread}/context`);
    if (status !== 200) return;
    const { messages } = body;
    refuseRewound(messages, rewound);
    if (this.options.folds) return;
    const shown = JSON.stringify(messages.map(({ content }) => content));
    const state = this.states.lastIndexOf(shown);
    expect(
      state,
      `${this.thread} showed a state that it never had, or an old one: ${shown}`,
    ).toBeGreaterThanOrEqual(before);
  }

  private api = (): Api => apiOf({ url: this.random.pick(this.options.urls()), key: this.options.key });

  private live = (): Sent[] => this.sent.filter(({ rewound }) => !rewound);

  private rewound = (): Sent[] => this.sent.filter(({ rewound }) => rewound);

  private async append(): Promise<void> {
    const words = this.options.folds ? 'All work and no play makes a dull thread. '.repeat(12) : '';
    // Question and answer: a context needs no separators then.
    const messages = ['user', 'assistant'].map((role) => {
      const id = `${this.thread}-m${this.next++}`;
      return { role, id, content: `<${id}> ${words}` };
    });
    this.announce([...this.live(), ...messages]);
    const head = this.live().at(-1)?.seq ?? 0;
    const failures = this.failures;
    const ifMatch = { 'if-match': `${head}` };
    const answer = await this.ask<Schemas['MessagesAppended']>('messages', { messages }, ifMatch);
    if (this.failures > failures) this.unsure.add(head);
    expect(answer.messages).toHaveLength(2);
    const last = this.sent.at(-1)?.seq ?? 0;
    answer.messages.forEach(({ seq }, i) => {
      expect(seq).toBe(last + 1 + i);
      this.sent.push({ ...messages[i]!, seq, rewound: false });
    });
    this.acknowledged = this.states.length - 1;
  }

  private async rewind(live: readonly Sent[]): Promise<void> {
    const pairs = 1 + this.random.below(Math.min(4, live.length / 2));
    const kept = live.slice(0, live.length - 2 * pairs);
    const gone = live.slice(kept.length);
    const to_seq = kept.at(-1)?.seq ?? 0;
    if (this.unsure.has(to_seq)) return;
    this.announce(kept);
    // A rewind that was done but not answered would be refused by the second precondition, were its key not known.
    const answer = await this.ask<Schemas['ThreadRewound']>(
      'rewind',
      { to_seq },
      {
        'idempotency-key': `${this.thread}-r${this.rewinds}`,
        'if-match': `${live.at(-1)!.seq}`,
      },
    );
    expect(answer).toMatchObject({ messages: gone.length, thread: { last_seq: to_seq } });
    for (const one of gone) one.rewound = true;
    this.rewinds++;
    this.acknowledged = this.states.length - 1;
  }

  /** What it holds after an answer to `since` is the whole context. */
  private async read(): Promise<void> {
    const changed = await this.get(`?since=${this.held.fingerprint}`);
    const messages = changed.append ? [...this.held.messages, ...changed.append] : changed.replay!;
    this.held = { fingerprint: changed.fingerprint, messages };
    this.checkHeld(changed);
    const whole = await this.get('');
    // Another worker may have folded the thread between the two.
    if (whole.fingerprint !== changed.fingerprint) return;
    expect(messages).toEqual(whole.messages);
    this.compared++;
  }

  private checkHeld({ last_seq, summary, elided }: Context): void {
    const { messages } = this.held;
    if (summary) this.summarized++;
    const live = this.live();
    expect(last_seq).toBe(live.at(-1)?.seq ?? 0);
    refuseRewound(messages, this.rewound());
    const shown = messages.map(({ content }) => content);
    if (!this.options.folds) {
      expect(shown).toEqual(live.map(({ content }) => content));
      // The API has no time before the first message.
      if (last_seq > 0) this.servedAt.set(last_seq, messages);
    } else if (elided.length === 0) {
      const after = live.filter(({ seq }) => seq > (summary?.to_seq ?? 0));
      expect(shown).toEqual(expect.arrayContaining(after.map(({ content }) => content)));
    }
  }

  /** After the faults: nothing acknowledged is lost, nothing is there twice, and time travel shows what was served. */
  async check(): Promise<void> {
    const listed: Listed[] = [];
    for (let after = 0; ;) {
      const { body } = await this.api().call<Schemas['MessageList']>(
        'GET',
        `/v1/threads/${this.thread}/messages?limit=500&after=${after}`,
      );
      listed.push(...body.data);
      if (body.next_cursor === null) break;
      after = listed.at(-1)!.seq;
    }
    expect(
      listed.map(({ seq, message, rewound_before }) => ({
        seq,
        content: message.content,
        rewound: rewound_before !== null,
      })),
    ).toEqual(this.sent.map(({ seq, content, rewound }) => ({ seq, content, rewound })));
    for (const [seq, messages] of [...this.servedAt].slice(-12)) {
      const past = await this.get(`?at=${seq}`);
      expect(past, `${this.thread} at ${seq}`).toMatchObject({ messages });
      if (past.served) expect(past.served.exact).toBe(true);
    }
  }

  private announce(live: readonly { content: string }[]): void {
    this.states.push(JSON.stringify(live.map(({ content }) => content)));
  }

  private get = (query: string): Promise<Context> =>
    this.answered((api) => api.call<Context>('GET', `/v1/threads/${this.thread}/context${query}`));

  private ask = <T>(what: string, body: object, headers: Record<string, string> = {}): Promise<T> =>
    this.answered((api) => api.call<T>('POST', `/v1/threads/${this.thread}/${what}`, body, headers));

  /** Repeats a request until it is answered; a refusal that does not say "again" is a failure. */
  private answered<T>(
    request: (api: Api) => Promise<{ status: number; headers: Headers; body: T }>,
  ): Promise<T> {
    return until(
      `an answer to ${this.thread}`,
      async () => {
        const answer = await request(this.api()).catch(() => undefined);
        if (!answer || answer.status >= 500 || isBusy(answer.body)) {
          if (answer && answer.status >= 500) expect(answer.status).toBe(503);
          this.failures++;
          return undefined;
        }
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
        this.answers++;
        if (answer.headers.get('idempotent-replayed') === 'true') this.replays++;
        return answer.body;
      },
      60_000,
    );
  }
}

/** Each message begins with a mark of its own, which a summary that quotes it holds too. */
function refuseRewound(messages: Context['messages'], rewound: readonly Sent[]): void {
  const text = JSON.stringify(messages);
  for (const { content } of rewound) expect(text).not.toContain(content.split(' ')[0]);
}

const isBusy = (body: unknown): boolean => (body as { code?: string } | null)?.code === 'thread_busy';
