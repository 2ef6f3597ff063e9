import { requestComplaints } from '../kinds/requests.js';

/** Addresses of a service, as pages write them. */
const service = /^(?:\$\{?SPILLWAY(?:_URL)?\}?|(?:http:\/\/)?localhost:4000)(\/.*)$/s;

/** Options of curl that take a value, as far as pages use them. */
const withValue = new Set([
  '-H',
  '--header',
  '-d',
  '--data',
  '--data-binary',
  '-X',
  '--request',
  '-T',
  '-o',
  '-w',
  '-u',
]);
const flags = new Set(['-s', '-S', '-N', '-f', '-i', '-L', '-G', '--fail', '--silent', '--compressed']);

/** Reports a call of curl whose request the API does not take. Calls of other servers are reported as well. */
export function curlComplaints(words: readonly string[]): string[] {
  const values = new Map<string, string>();
  const addresses: string[] = [];
  const complaints: string[] = [];
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    // Short options are joined, as -sT: the last one may take the value.
    const options = /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
    for (const option of options) {
      if (!option.startsWith('-')) addresses.push(option);
      else if (withValue.has(option)) values.set(option, words[++i] ?? '');
      else if (!flags.has(option)) complaints.push(`curl ${option} is not known to this check`);
    }
  }
  if (addresses.length !== 1) return [...complaints, `curl with ${addresses.length} addresses`];
  const target = service.exec(addresses[0]!)?.[1];
  if (target === undefined) return [...complaints, `${addresses[0]!} is no address of a service`];
  const body = values.get('-d') ?? values.get('--data');
  const upload = values.has('-T') || values.has('--data-binary');
  const method =
    values.get('-X') ?? values.get('--request') ?? (body !== undefined ? 'POST' : upload ? 'PUT' : 'GET');
  // A body from a file or from a variable is not shown.
  const isShown = body !== undefined && !/^[@$]/.test(body);
  return [...complaints, ...requestComplaints({ method, target, ...(isShown ? { body } : {}) })];
}
