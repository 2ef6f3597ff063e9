import pg from 'pg';
import { loadCounter } from '@spillway/engine';
import { askModel } from './ask-model.js';
import { agentModel, summaryModel } from './model.js';
import { rulesOf, summarizes, type Spoken } from './rules.js';
import { serveTurns } from './serve-turns.js';

interface Options {
  databaseUrl: string;
  modelUrl: string;
  rules: 'chronos' | 'dawn';
  window: number;
  trigger: number;
}

const tables = `
  CREATE TABLE messages (seq bigint PRIMARY KEY, role text NOT NULL, content text NOT NULL, tokens int NOT NULL);
  CREATE TABLE summaries (id int PRIMARY KEY, content text NOT NULL, tokens int NOT NULL, covered bigint NOT NULL)`;

interface Held extends Spoken {
  seq: number;
  content: string;
}

/**
 * The rules of Chronos and of Dawn as little code as they need, in the agent's process and straight on Postgres: no
 * service, no tenants, no indexes but the primary key, and one connection.
 */
await serveTurns<Options>(async (options) => {
  const rules = rulesOf(options.rules, { ...options, count: await loadCounter('o200k') });
  const database = new pg.Client(options.databaseUrl);
  await database.connect();
  await database.query(tables);
  let last = 0;
  const keep = async (role: Held['role'], content: string): Promise<Held> => {
    const message: Held = { seq: ++last, role, content, tokens: rules.tokensOf(content) };
    const values = [message.seq, role, content, message.tokens];
    await database.query({ name: 'keep', text: 'INSERT INTO messages VALUES ($1, $2, $3, $4)', values });
    return message;
  };
  return async (text) => {
    const found = await database.query<{ content: string; tokens: number; covered: string }>({
      name: 'summary',
      text: 'SELECT content, tokens, covered FROM summaries',
    });
    let summary = found.rows[0] ?? null;
    const { rows } = await database.query<Held & { seq: string }>({
      name: 'load',
      text: 'SELECT seq, role, content, tokens FROM messages WHERE seq > $1 ORDER BY seq',
      values: [rules.loads === 'all' ? 0 : (summary?.covered ?? 0)],
    });
    let live: Held[] = rows.map((row) => ({ ...row, seq: Number(row.seq) }));
    live.push(await keep('user', text));
    const folded = summarizes(rules, summary?.tokens ?? 0, live);
    if (folded > 0) {
      const covered = live.slice(0, folded);
      const transcript = covered.map(({ role, content }) => `${role}: ${content}`).join('\n');
      const prompt = `Summarize the conversation.\n\n${summary?.content ?? ''}\n\n${transcript}`;
      const { content } = await askModel(options.modelUrl, summaryModel, [{ role: 'user', content: prompt }]);
      summary = { content, tokens: rules.tokensOf(content), covered: `${covered.at(-1)!.seq}` };
      await database.query({
        name: 'summarized',
        text: `INSERT INTO summaries VALUES (1, $1, $2, $3)
               ON CONFLICT (id) DO UPDATE SET content = $1, tokens = $2, covered = $3`,
        values: [summary.content, summary.tokens, summary.covered],
      });
      live = live.slice(folded);
    }
    const reply = await askModel(options.modelUrl, agentModel, [
      ...(summary ? [{ role: 'system', content: summary.content }] : []),
      ...live.map(({ role, content }) => ({ role, content })),
    ]);
    await keep('assistant', reply.content);
    return reply.content;
  };
});
