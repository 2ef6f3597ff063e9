import { policyInput } from '@spillway/contracts';
import { parseDocument } from 'yaml';

type Check = (value: unknown) => string[];

/** What a YAML file is, by a key at its top. A file with none of these keys is reported. */
const kinds: Record<string, Check> = {
  // The file that SPILLWAY_CONFIG names.
  policy: (value) => {
    const { success, error } = policyInput.safeParse(value);
    return success
      ? []
      : error.issues.map(({ path, message }) => `policy: ${['', ...path.map(String)].join('/')} ${message}`);
  },
  // Of Prometheus: it has no schema in this repository, so that the file has to parse only.
  scrape_configs: () => [],
};

/** Reports YAML that does not parse, and settings of Spillway that the service would refuse. */
export function yamlComplaints(text: string): string[] {
  const document = parseDocument(text);
  if (document.errors.length > 0) return document.errors.map(({ message }) => `is no YAML: ${message}`);
  const value: unknown = document.toJS();
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const known = entries.filter(([key]) => Object.hasOwn(kinds, key));
  if (known.length === 0)
    return [`is YAML of an unknown kind: it has none of ${Object.keys(kinds).join(', ')} at its top`];
  return known.flatMap(([key, part]) => kinds[key]!(part));
}
