import type { IncomingMessage } from '@spillway/service';
import type { Chance } from '../chance.js';

const words = [
  'read the file ',
  'src/app/main.ts:12 ',
  'it failed with 500 ',
  'now try again ',
  'ok ',
  '日本語 ',
];

/** What one agent says, message after message: tasks, parallel tool calls, their results, and what goes wrong. */
export class Script {
  private calls = 0;
  private open: string[] = [];
  private sent = 0;

  constructor(
    private readonly chance: Chance,
    private readonly name: string,
    private readonly showsImages: boolean,
  ) {}

  /** What the agent posts next in one request. */
  batch(): IncomingMessage[] {
    const size = this.chance.happens(0.6) ? 1 : 1 + this.chance.below(4);
    const hasIds = this.chance.happens(0.9);
    return Array.from({ length: size }, () => this.message(hasIds));
  }

  private message(hasId: boolean): IncomingMessage {
    const number = this.sent++;
    const several = this.open.length > 1 && this.chance.happens(0.3) ? this.severalResults() : null;
    if (several)
      return {
        clientId: hasId ? `${this.name}-${number}` : null,
        pinned: false,
        format: 'anthropic',
        body: several,
      };
    const wantsPin = this.chance.happens(0.01);
    const body = this.body(number);
    return {
      clientId: hasId ? `${this.name}-${number}` : null,
      // Several images are more than a pinned message may take.
      pinned: wantsPin && !Array.isArray(body.content),
      format: 'openai',
      body,
    };
  }

  private body(number: number): Record<string, unknown> {
    const { chance } = this;
    if (number === 0 && chance.happens(0.5)) return { role: 'system', content: this.text(8) };
    if (this.open.length > 0 && chance.happens(0.85)) {
      // Results come in any order.
      const [id] = this.open.splice(chance.below(this.open.length), 1);
      return { role: 'tool', tool_call_id: id, content: this.text(30) };
    }
    const dice = chance.random();
    if (dice < 0.03) return { role: 'tool', tool_call_id: `nobody-${number}`, content: this.text(9) };
    if (dice < 0.06 && this.calls > 0)
      return { role: 'tool', tool_call_id: `call-${chance.below(this.calls)}`, content: this.text(9) };
    if (dice < 0.3) return { role: 'user', content: this.showsImages ? this.pictures() : this.text(20) };
    if (dice < 0.5) return { role: 'assistant', content: this.text(20) };
    const calls = Array.from({ length: 1 + chance.below(3) }, () => `call-${this.calls++}`);
    // Calls that are never answered stay open forever.
    this.open = [...calls];
    const asked = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{"a":1}' } });
    const content = chance.happens(0.5) ? null : this.text(6);
    return { role: 'assistant', content, tool_calls: calls.map(asked) };
  }

  /** The results of parallel calls in one message, sometimes with a call left open or answered before. */
  private severalResults(): Record<string, unknown> {
    const ids = this.open.splice(0, this.chance.happens(0.8) ? this.open.length : 1);
    if (this.calls > 3 && this.chance.happens(0.1)) ids.push(`call-${this.chance.below(this.calls)}`);
    const screenshot = { type: 'image', source: { type: 'url', url: 'https://example.com/screen.png' } };
    const content = () =>
      this.showsImages && this.chance.happens(0.3)
        ? [{ type: 'text', text: this.text(5) }, screenshot]
        : this.text(20);
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: content() });
    return { role: 'user', content: [...new Set(ids)].map(result) };
  }

  /** Words with up to three pictures. */
  private pictures(): object[] {
    const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const count = Math.max(0, this.chance.below(6) - 2);
    return [{ type: 'text', text: this.text(20) }, ...Array.from({ length: count }, () => picture)];
  }

  private text(most: number): string {
    let text = `${this.name} `;
    for (let n = this.chance.below(most); n >= 0; n--) text += this.chance.pick(words);
    return text;
  }
}
