import { EnvError } from '../environment/env-error.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the address that traces are sent to, by the standard variables of OpenTelemetry; null when none are sent. Throws
 * EnvError for one that is no URL: the exporter would log a line and send nothing.
 */
export function traceCollector(variables: Variables): string | null {
  if (variables.OTEL_SDK_DISABLED === 'true' || variables.OTEL_TRACES_EXPORTER === 'none') return null;
  const name = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find(
    (one) => variables[one],
  );
  if (name === undefined) return null;
  const address = variables[name]!;
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new EnvError(
      `${name} must be an http:// or https:// URL, as http://collector:4318, and is "${address}"`,
    );
  return address;
}
