import type { Agent, ListedTool, OpencodeClient, PermissionRule } from './opencode.js';

/** Tools that share the permission of another one. */
const permissions: Record<string, string> = {
  write: 'edit',
  apply_patch: 'edit',
  list_mcp_resources: 'read',
  list_mcp_resource_templates: 'read',
  read_mcp_resource: 'read',
};

/** Returns the tools that opencode sends with these rules: it leaves out those that are denied whatever they do. */
export const allowedTools = (tools: readonly ListedTool[], rules: readonly PermissionRule[]): ListedTool[] =>
  tools.filter(({ id }) => {
    const rule = rules.findLast(({ permission }) => matches(permissions[id] ?? id, permission));
    // It answers calls of tools that do not exist, and is never sent.
    return id !== 'invalid' && !(rule?.pattern === '*' && rule.action === 'deny');
  });

/** Whether a name matches a pattern with `*` and `?`. */
function matches(name: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(name);
}

export const schemaOf = ({ id: name, description, parameters }: ListedTool): object => ({
  type: 'function',
  name,
  description,
  inputSchema: parameters,
});

/** What opencode knows of its agents and tools. It stays the same while a plugin lives, so one answer is enough. */
export class Catalogue {
  private listed: Agent[] | undefined;
  private readonly tools = new Map<string, ListedTool[]>();

  constructor(private readonly client: OpencodeClient) {}

  /** Whether a system prompt is one of opencode's own work, such as the title of a session. */
  async isHidden(system: string): Promise<boolean> {
    return (await this.agents()).some(({ hidden, prompt }) => hidden && prompt && system.startsWith(prompt));
  }

  /** The schemas of the tools that opencode sends for an agent. Those of MCP servers are not in its list. */
  async schemasFor(
    agentName: string | undefined,
    { providerID: provider, modelID: model }: { providerID: string; modelID: string },
    sessionRules: readonly PermissionRule[],
  ): Promise<object[]> {
    const key = `${provider}/${model}`;
    const listed = this.tools.get(key) ?? dataOf(await this.client.tool.list({ query: { provider, model } }));
    this.tools.set(key, listed);
    const agent = (await this.agents()).find(({ name }) => name === agentName);
    return allowedTools(listed, [...(agent?.permission ?? []), ...sessionRules]).map(schemaOf);
  }

  private async agents(): Promise<Agent[]> {
    return (this.listed ??= dataOf(await this.client.app.agents()));
  }
}

/** Returns what opencode answered. Throws when it answered with an error. */
export function dataOf<T>({ data, error }: { data?: T | undefined; error?: unknown }): T {
  if (data === undefined) throw new Error(`opencode did not answer: ${JSON.stringify(error)}`);
  return data;
}
