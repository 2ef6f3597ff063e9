import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type * as sdkModule from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { EnvError } from '../env.js';
import { atMost } from '../operations/at-most.js';
import { version } from '../operations/version.js';
import { traceCollector } from './trace-collector.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Sends what is still waiting, and ends tracing. */
export type StopTracing = () => Promise<void>;

/** A process that stops waits this long for a collector. */
const maxFlushMs = 3_000;
const protocols = ['http/protobuf', 'http/json'];

/**
 * Sends traces to an OpenTelemetry collector when the standard variables name one (OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT). Otherwise nothing is loaded. A collector that does not answer costs traces, never
 * a request: spans wait in a bounded queue and are dropped. Throws EnvError for a value that is not supported.
 */
export async function startTracing(name: string, variables: Variables, log: Logger): Promise<StopTracing> {
  if (traceCollector(variables) === null) return () => Promise.resolve();
  const [sdk, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, resources, exporter] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      exporterOf(variables),
    ]);
  const named = resources.resourceFromAttributes({ 'service.name': name, 'service.version': version });
  // What the operator names in OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES wins.
  const detected = resources.detectResources({ detectors: [resources.envDetector, resources.hostDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(detected),
    sampler: samplerOf(sdk, variables),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: delayOf(variables) })],
  });
  diag.setLogger(quietLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    const sent = provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'traces were lost'));
    await atMost(maxFlushMs, sent);
  };
}

async function exporterOf(variables: Variables) {
  const protocol =
    variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || variables.OTEL_EXPORTER_OTLP_PROTOCOL || protocols[0];
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter();
  if (protocol === 'http/protobuf')
    return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter();
  throw new EnvError(
    `OTEL_EXPORTER_OTLP_PROTOCOL must be one of ${protocols.join(', ')}; it is ${protocol}.`,
  );
}

type Sdk = typeof sdkModule;

/** By the names of the OpenTelemetry specification, whose default is `parentbased_always_on`. */
function samplerOf(sdk: Sdk, variables: Variables): sdkModule.Sampler {
  const name = variables.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const ratio = Number(variables.OTEL_TRACES_SAMPLER_ARG || 1);
  if (!(ratio >= 0 && ratio <= 1)) throw new EnvError('OTEL_TRACES_SAMPLER_ARG must be from 0 to 1.');
  const roots: Record<string, sdkModule.Sampler> = {
    always_on: new sdk.AlwaysOnSampler(),
    always_off: new sdk.AlwaysOffSampler(),
    traceidratio: new sdk.TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[name.replace(/^parentbased_/, '')];
  if (!root) {
    const known = Object.keys(roots).flatMap((one) => [one, `parentbased_${one}`]);
    throw new EnvError(`OTEL_TRACES_SAMPLER must be one of ${known.join(', ')}; it is ${name}.`);
  }
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

/** How long spans wait to be sent together, in ms. */
function delayOf({ OTEL_BSP_SCHEDULE_DELAY: given }: Variables): number {
  const delay = Number(given || 5_000);
  if (!(delay > 0)) throw new EnvError('OTEL_BSP_SCHEDULE_DELAY must be a number of milliseconds.');
  return delay;
}

/** One line when the exporter begins to fail in some way, not one for each batch. */
function quietLogger(log: Logger) {
  let last = '';
  const write = (message: string): void => {
    if (message === last) return;
    last = message;
    log.warn({ detail: message.slice(0, 300) }, 'traces are not sent');
  };
  const ignore = (): void => undefined;
  return { error: write, warn: write, info: ignore, debug: ignore, verbose: ignore };
}
