import type { HrTime } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { Metrics } from '../log/metrics.ts'
import type { TelemetrySettings } from '../settings/telemetry-settings.ts'

/** Sends the same metrics that Prometheus reads, under the same names. */
export async function startMetrics(
  { protocol, metricTimes }: TelemetrySettings,
  resource: Resource,
  metrics: Metrics,
): Promise<MeterProvider> {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    metricProducers: [createProducer(resource, metrics)],
    ...metricTimes,
  })
  return new MeterProvider({ resource, readers: [reader] })
}

/** A metric as prom-client lists it. Those of a histogram have the name of a part: `_bucket`, `_sum` or `_count`. */
type Listed = {
  name: string
  help: string
  type: string
  values: readonly { value: number; labels: Record<string, string | number>; metricName?: string }[]
}

const secondsOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

function createProducer(resource: Resource, metrics: Metrics): MetricProducer {
  const startTime = secondsOf(performance.timeOrigin)
  return {
    async collect() {
      const times = { startTime, endTime: secondsOf(Date.now()) }
      const listed = (await metrics.list()) as unknown as Listed[]
      const data = listed.flatMap((metric) => presentMetric(metric, times) ?? [])
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'licet' }, metrics: data }] }, errors: [] }
    },
  }
}

type Times = { startTime: HrTime; endTime: HrTime }

function presentMetric(metric: Listed, times: Times): MetricData | undefined {
  const common = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: 1 },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const dataPoints = () => metric.values.map(({ value, labels }) => ({ ...times, attributes: labels, value }))
  if (metric.type === 'counter')
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: dataPoints() }
  if (metric.type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: dataPoints() }
  if (metric.type !== 'histogram') return undefined
  return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) }
}

/** Prometheus counts what is below each bound; OpenTelemetry what is between two. */
function histograms({ name, values }: Listed, times: Times): DataPoint<Histogram>[] {
  const found = new Map<string, { attributes: Record<string, string | number>; parts: Listed['values'][number][] }>()
  for (const part of values) {
    const { le: _bound, ...attributes } = part.labels
    const key = JSON.stringify(attributes)
    const entry = found.get(key)
    if (entry === undefined) found.set(key, { attributes, parts: [part] })
    else entry.parts.push(part)
  }
  return [...found.values()].map(({ attributes, parts }) => {
    const partOf = (part: string) => parts.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0
    const buckets = parts.filter(({ metricName }) => metricName === `${name}_bucket`)
    const below = buckets.map(({ value }) => value)
    const value = {
      buckets: {
        boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
        counts: below.map((count, index) => count - (below[index - 1] ?? 0)),
      },
      sum: partOf('sum'),
      count: partOf('count'),
    }
    return { ...times, attributes, value }
  })
}
