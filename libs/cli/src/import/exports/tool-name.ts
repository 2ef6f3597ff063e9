/** A name of a tool that providers accept: `web.run` of ChatGPT has a character that they refuse. */
export const toolName = (name: string): string =>
  name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) || 'tool';
