import { type Static, Type } from 'typebox'

const EXPORTERS = ['otlp', 'none']
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]

const Milliseconds = (description: string, value: number) =>
  Type.Integer({ default: value, minimum: 1, maximum: 3_600_000, description })

/** The standard variables of OpenTelemetry that the service obeys. Part of the list of settings. */
export const TELEMETRY_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      format: 'http-url',
      description:
        'Address of an OpenTelemetry receiver, such as `http://localhost:4318`, to which traces and metrics are sent. Only if this setting or one of the exporters is set, anything of OpenTelemetry is loaded.',
    }),
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: Type.Enum(['http/protobuf', 'http/json'], {
    default: 'http/protobuf',
    description: 'How traces and metrics are written for the receiver.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({ description: 'Headers for the receiver, such as `api-key=…`, separated by commas.' }),
  ),
  OTEL_SERVICE_NAME: Type.String({
    default: 'licet',
    minLength: 1,
    description: 'Name of the service in traces and metrics.',
  }),
  OTEL_TRACES_EXPORTER: Type.Optional(
    Type.Enum(EXPORTERS, {
      description: 'Whether traces are sent. If not set: `otlp` if OTEL_EXPORTER_OTLP_ENDPOINT is set.',
    }),
  ),
  OTEL_METRICS_EXPORTER: Type.Optional(
    Type.Enum(EXPORTERS, {
      description:
        'Whether the metrics of `/metrics` are sent, too. If not set: `otlp` if OTEL_EXPORTER_OTLP_ENDPOINT is set.',
    }),
  ),
  OTEL_TRACES_SAMPLER: Type.Enum(SAMPLERS, {
    default: 'parentbased_always_on',
    description: 'Which traces are kept. `parentbased_…` follows the caller, if the request has a `traceparent`.',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'The share of traces that the sampler `traceidratio` keeps.',
  }),
  OTEL_BSP_SCHEDULE_DELAY: Milliseconds('Milliseconds after which spans are sent that have ended.', 5000),
  OTEL_METRIC_EXPORT_INTERVAL: Milliseconds('Milliseconds between two sendings of metrics.', 60_000),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false, description: 'Turns traces and metrics by OpenTelemetry off.' }),
}

const Raw = Type.Object(TELEMETRY_SETTINGS)
type Raw = Static<typeof Raw>

export type TelemetrySettings = {
  traces: boolean
  metrics: boolean
  protocol: Raw['OTEL_EXPORTER_OTLP_PROTOCOL']
  sampler: string
  ratio: number
  batches: { scheduledDelayMillis: number }
  metricTimes: { exportIntervalMillis: number; exportTimeoutMillis: number }
  /** All variables of the standard, for the packages, which read more than those above. */
  environment: Readonly<Record<string, string>>
}

const EXPORT_TIMEOUT_MS = 30_000

/** Undefined: nobody asks for traces or metrics. */
export function readTelemetry(
  raw: Raw,
  texts: Readonly<Record<string, string | undefined>>,
): TelemetrySettings | undefined {
  const hasReceiver = (of: string) =>
    [raw.OTEL_EXPORTER_OTLP_ENDPOINT, texts[`OTEL_EXPORTER_OTLP_${of}_ENDPOINT`]].some(
      (address) => (address ?? '') !== '',
    )
  const isSent = (exporter: string | undefined, of: string) =>
    (exporter ?? (hasReceiver(of) ? 'otlp' : 'none')) === 'otlp'
  const traces = isSent(raw.OTEL_TRACES_EXPORTER, 'TRACES')
  const metrics = isSent(raw.OTEL_METRICS_EXPORTER, 'METRICS')
  if (raw.OTEL_SDK_DISABLED || !(traces || metrics)) return undefined
  const exportIntervalMillis = raw.OTEL_METRIC_EXPORT_INTERVAL
  const environment = Object.entries(texts).flatMap(([name, value]) =>
    name.startsWith('OTEL_') && value !== undefined && value !== '' ? [[name, value] as const] : [],
  )
  return {
    traces,
    metrics,
    protocol: raw.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: raw.OTEL_TRACES_SAMPLER,
    ratio: raw.OTEL_TRACES_SAMPLER_ARG,
    batches: { scheduledDelayMillis: raw.OTEL_BSP_SCHEDULE_DELAY },
    metricTimes: { exportIntervalMillis, exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, exportIntervalMillis) },
    environment: Object.fromEntries(environment),
  }
}
