import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number }
type Pair = { key: string; value: Value }

/** A span as it came in JSON, with its attributes by name. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: Record<string, string | number | undefined>
  resource: Record<string, string | number | undefined>
}

export type ReceivedMetric = { name: string } & Record<string, unknown>

export type TelemetryReceiver = {
  readonly url: string
  /** Everything that came, by its path. */
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[]
  /** Only of what came as JSON. */
  spans(): ReceivedSpan[]
  metrics(): ReceivedMetric[]
}

function named(pairs: readonly Pair[] = []): Record<string, string | number | undefined> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  )
}

/** A server that takes OTLP over HTTP, for a test file. */
export function useTelemetryReceiver(): TelemetryReceiver {
  let server: Server
  const requests: TelemetryReceiver['requests'] = []
  const read = (path: string) =>
    requests
      .filter((one) => one.path === path && one.headers['content-type'] === 'application/json')
      .map(({ body }) => JSON.parse(body.toString()))
  before(async () => {
    server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request))
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      response
        .setHeader('content-type', request.headers['content-type'] ?? '')
        .end(request.headers['content-type'] === 'application/json' ? '{}' : '')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    requests,
    spans: () =>
      read('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ resource, scopeSpans }: { resource: { attributes: Pair[] }; scopeSpans: never[] }) =>
          scopeSpans.flatMap(({ spans }: { spans: (ReceivedSpan & { attributes: Pair[] })[] }) =>
            spans.map((span) => ({
              ...span,
              attributes: named(span.attributes as unknown as Pair[]),
              resource: named(resource.attributes),
            })),
          ),
        ),
      ),
    metrics: () =>
      read('/v1/metrics').flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: ReceivedMetric[] }[] }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics),
        ),
      ),
  }
}
