const minSecretLength = 32;

type Settings = Readonly<Record<string, string | undefined>>;

/** What is wrong with the environment of the console, a line for each variable. An empty variable is not set. */
export function settingsProblems(env: Settings): string[] {
  const { CONSOLE_SESSION_SECRET: secret = '' } = env;
  const addresses = ['API_URL', 'API_PUBLIC_URL'].filter((name) => !isAddress(env[name]?.trim() ?? ''));
  return [
    ...addresses.map((name) => `${name} must be an http:// or https:// URL, and is "${env[name]}"`),
    ...(secret !== '' && secret.length < minSecretLength
      ? [`CONSOLE_SESSION_SECRET must have at least ${minSecretLength} characters and has ${secret.length}`]
      : []),
  ];
}

const isAddress = (url: string): boolean => url === '' || (/^https?:\/\//.test(url) && URL.canParse(url));
