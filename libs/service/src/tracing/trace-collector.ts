type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the address that traces are sent to, by the standard variables of OpenTelemetry; null when none are sent. */
export function traceCollector(variables: Variables): string | null {
  if (variables.OTEL_SDK_DISABLED === 'true' || variables.OTEL_TRACES_EXPORTER === 'none') return null;
  return variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || variables.OTEL_EXPORTER_OTLP_ENDPOINT || null;
}
