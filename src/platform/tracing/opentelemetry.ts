import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { errorCode } from '../errors/error-code.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { TelemetrySettings } from '../settings/telemetry-settings.ts'
import { type Span, setTracer, type Tracer } from './trace.ts'

/** The packages of OpenTelemetry, behind trace.ts. Only `startTelemetry` loads this module, and only if a setting asks for it. */

const SCOPE = 'licet'
/** A statement of the database may be long. */
const ATTRIBUTE_MAX = 4000
/** A receiver that is away must not keep a stop waiting. */
const STOP_MS = 3000
/** It fails with every batch as long as the receiver is away. */
const WARN_AGAIN_MS = 60_000

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

export type Exporting = { stop(): Promise<void> }

/** Begins to send traces and metrics. */
export async function startExporting(settings: TelemetrySettings, version: string): Promise<ExportingParts> {
  // The packages read the standard variables from the environment, which does not have those of a file.
  for (const [name, value] of Object.entries(settings.environment)) process.env[name] ??= value
  const service = resourceFromAttributes({ 'service.name': SCOPE, 'service.version': version })
  const resource = defaultResource()
    .merge(service)
    .merge(detectResources({ detectors: [envDetector] }))
  const traces = settings.traces ? await startTraces(settings, resource, version) : undefined
  return {
    async attach(log, metrics) {
      warnOf(log)
      const { startMetrics } = settings.metrics ? await import('./exported-metrics.ts') : {}
      const readings = await startMetrics?.(settings, resource, metrics)
      return {
        async stop() {
          setTracer(undefined)
          const stopped = Promise.allSettled([traces?.shutdown(), readings?.shutdown()])
          await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
          diag.disable()
        },
      }
    },
  }
}

/** Traces begin before the log, whose lines name them. */
export type ExportingParts = { attach(log: Log, metrics: Metrics): Promise<Exporting> }

function warnOf(log: Log): void {
  let last = Number.NEGATIVE_INFINITY
  const warn = (text: string) => {
    if (performance.now() - last < WARN_AGAIN_MS) return
    last = performance.now()
    log.warn({ reason: text.slice(0, 500) }, 'telemetry could not be sent')
  }
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN)
}

async function startTraces(settings: TelemetrySettings, resource: Resource, version: string): Promise<TracerProvider> {
  const { OTLPTraceExporter } =
    settings.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_MAX },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...settings.batches })],
  })
  setTracer(tracerOf(provider, version))
  return provider
}

function samplerOf({ sampler, ratio }: TelemetrySettings): Sampler {
  const isOfParent = sampler.startsWith('parentbased_')
  const root = rootSampler(sampler.replace('parentbased_', ''), ratio)
  return isOfParent ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

function tracerOf(provider: TracerProvider, version: string): Tracer {
  const tracer = provider.getTracer(SCOPE, version)
  const contexts = new WeakMap<Span, Context>()

  function contextOf(parent: string | null | undefined, within: Span | undefined): Context {
    const remote = typeof parent === 'string' ? parseTraceParent(parent) : null
    if (remote !== null) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
    return (within === undefined ? undefined : contexts.get(within)) ?? ROOT_CONTEXT
  }

  return {
    start(name, { kind, parent, attributes = {} }, within) {
      const context = contextOf(parent, within)
      const started = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context)
      const span = wrap(started)
      contexts.set(span, trace.setSpan(ROOT_CONTEXT, started))
      return span
    },
  }
}

function wrap(span: SdkSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    set: (attributes) => void span.setAttributes(attributes),
    fail(error) {
      span.setAttribute('error.type', kindOf(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => span.end(),
  }
}

function kindOf(error: unknown): string {
  if (typeof error === 'string') return error
  return errorCode(error) ?? (error instanceof Error ? error.name : 'error')
}
