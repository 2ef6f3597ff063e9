/** Ids are letters, digits, _ and - in Anthropic's format. Other characters are replaced by their codes. */
export const toolUseId = (id: string): string =>
  id.replace(/[^A-Za-z0-9_-]/g, (c) => `_x${c.charCodeAt(0).toString(16)}_`);
