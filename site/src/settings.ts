/**
 * The address under which a browser opens a file of the repository, such as
 * `https://forge.example/spillway/blob/main/`. The repository has no public address yet: while this is undefined, a
 * link to a file that is no page is shown as its text and its path.
 */
export const repositoryAddress: string | undefined = undefined;

/** The path under which the site is served. It begins and ends with a slash. */
export const base = '/';

export const title = 'Spillway';

export const summary =
  "Spillway keeps AI-agent threads inside the model's context window, from outside the agent.";
