import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { readConfig } from '#platform/settings/config.ts'
import type { Exporting } from '#platform/tracing/opentelemetry.ts'
import { startTelemetry } from '#platform/tracing/start.ts'
import { HOME, OURS, openCheckout, orderIdOn, pay, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { useReceiver } from '#test/receiver.ts'
import { type ReceivedSpan, useTelemetryReceiver } from '#test/telemetry.ts'
import { visit } from '#test/visitor.ts'
import { aWebhook } from '#test/webhooks.ts'
import { serve, temporaryFolder, until } from './program.ts'

const telemetry = useTelemetryReceiver()
const receiver = useReceiver()
let exporting: Exporting | undefined

before(async () => {
  const { telemetry: settings } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_SERVICE_NAME: 'a shop',
    OTEL_BSP_SCHEDULE_DELAY: '20',
  })
  exporting = await (await startTelemetry(settings, '1.2.3'))?.attach(createLog('silent'), createMetrics())
})
after(async () => {
  await exporting?.stop()
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
})

const service = useService()

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = `00-${TRACE}-00f067aa0ba902b7-01`
const ofTrace = () => telemetry.spans().filter(({ traceId }) => traceId === TRACE)

async function orderInCheckout(headers: Record<string, string>, path: string) {
  const at = await openCheckout(service)
  await aWebhook(at.shop, receiver.url(path), 'order/create')
  const film = await aFilm(service, at.shop)
  const guest = visit(service.url, { ...OURS, ...headers })
  await put(guest, at.base, film)
  await tell(guest, at.base, { email: anEmail(), ...HOME })
  const orderId = orderIdOn(await pay(guest, at.base))
  assert.ok(orderId > 0)
  await service.runJobs()
  await until('the webhook arrives', () => receiver.at(path).length > 0)
  const stored = await sql<{ trace: string | null }>`select trace_parent as trace from events
    where company_id = ${at.shop.companyId} and topic = 'order/create'`.execute(service.db)
  return { at, orderId, traces: stored.rows.map(({ trace }) => trace) }
}

describe('a service that sends traces', () => {
  test('has one trace for a checkout: the request, its statements, its jobs and its webhook', async () => {
    const { traces } = await orderInCheckout({ traceparent: CALLER }, '/traced')
    await until('the span of the webhook comes', () => ofTrace().some(({ name }) => name === 'webhook order/create'))
    await until('the span of a job comes', () => ofTrace().some(({ name }) => name.startsWith('job ')))
    const spans = ofTrace()
    const named = (name: string): ReceivedSpan => {
      const found = spans.find((span) => span.name === name)
      assert.ok(found, `there is no span ${name} in ${spans.map((span) => span.name).join(', ')}`)
      return found
    }
    const request = named('POST /shop/:shop/checkout/pay')
    assert.deepEqual(
      [request.attributes['http.response.status_code'], request.resource['service.name'], request.parentSpanId],
      [303, 'a shop', '00f067aa0ba902b7'],
    )
    const statements = spans.filter((span) => span.attributes['db.system.name'] === 'postgresql')
    const own = statements.filter(({ parentSpanId }) => parentSpanId === request.spanId)
    assert.ok(own.some(({ name }) => name === 'COMMIT'))
    // The event is stored with the span that caused it, which the webhook goes on with, and the receiver with that.
    assert.deepEqual(traces, [`00-${TRACE}-${request.spanId}-01`])
    const webhook = named('webhook order/create')
    assert.equal(webhook.parentSpanId, request.spanId)
    const [event] = receiver.at('/traced')
    assert.equal(event?.headers.traceparent, `00-${TRACE}-${webhook.spanId}-01`)
    const job = spans.find(({ name }) => name.startsWith('job '))
    assert.equal(job?.parentSpanId, request.spanId)
    assert.ok(spans.some(({ parentSpanId }) => parentSpanId === job?.spanId))
  })

  test('names no person, no address and no value in it', async () => {
    const text = telemetry.requests.map(({ body }) => body.toString()).join('\n')
    assert.ok(text.includes('/shop/:shop/checkout'))
    for (const secret of ['@example.com', 'Main Street', 'Roe', '4242 4242', '42424242'])
      assert.ok(!text.includes(secret), secret)
  })

  test('begins a trace for a caller that has none, and leaves a broken one aside', async () => {
    const shop = await service.openShop()
    for (const traceparent of ['00-0-0-01', 'ff-x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
      await shop.get('/api/products/count.json', undefined, { traceparent, 'x-request-id': 'broken' })
    const found = () => telemetry.spans().filter(({ attributes }) => attributes['licet.request_id'] === 'broken')
    await until('the spans come', () => found().length === 3)
    for (const { traceId, parentSpanId } of found()) {
      assert.match(traceId, /^(?!0{32})[0-9a-f]{32}$/)
      assert.ok(parentSpanId === undefined || parentSpanId === '')
    }
  })

  test('stores no trace and sends none once it is off', async () => {
    await exporting?.stop()
    exporting = undefined
    const { at, traces } = await orderInCheckout({ traceparent: CALLER }, '/quiet')
    assert.deepEqual(traces, [null])
    assert.equal(receiver.at('/quiet')[0]?.headers.traceparent, undefined)
    const { rows } =
      await sql`select from jobs where company_id = ${at.shop.companyId} and trace_parent is not null`.execute(
        service.db,
      )
    assert.equal(rows.length, 0)
  })
})

describe('the program', () => {
  test('obeys the standard variables, and its log names the trace', async () => {
    const program = await serve({
      LICET_DATA: await temporaryFolder(),
      LICET_LOG_LEVEL: 'debug',
      // The demo shop is still making its films.
      LICET_STOP_SECONDS: '600',
      OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of the receiver',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a test',
    })
    const before = telemetry.requests.length
    const headers = { authorization: `Bearer ${program.token}`, traceparent: CALLER }
    assert.equal((await fetch(`${program.url}/api/products/count.json`, { headers })).status, 200)
    await program.says(new RegExp(`"trace_id":"${TRACE}","span_id":"[0-9a-f]{16}".*products/count`))
    program.kill('SIGTERM')
    const { code, err } = await program.ended
    assert.deepEqual([code, err], [0, ''])
    const sent = telemetry.requests.slice(before)
    assert.ok(sent.every((request) => request.headers['api-key'] === 'of the receiver'))
    const bytes = (path: string) => Buffer.concat(sent.filter((one) => one.path === path).map(({ body }) => body))
    const [traces, metrics] = [bytes('/v1/traces'), bytes('/v1/metrics')]
    assert.ok(sent.every((request) => request.headers['content-type'] === 'application/x-protobuf'))
    assert.ok(traces.includes(Buffer.from(TRACE, 'hex')))
    for (const text of ['GET /api/products/count.json', 'a test', 'service.version'])
      assert.ok(traces.includes(text), text)
    for (const text of ['licet_http_request_seconds', 'nodejs_eventloop_lag_p99_seconds'])
      assert.ok(metrics.includes(text), text)
  })

  test('names a variable that it does not understand', () => {
    assert.throws(
      () => readConfig({ OTEL_TRACES_EXPORTER: 'zipkin' }),
      /OTEL_TRACES_EXPORTER must be one of otlp, none/,
    )
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' }
    assert.equal(readConfig(off).telemetry, undefined)
    assert.equal(readConfig({}).telemetry, undefined)
    const onlyTraces = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }).telemetry
    assert.deepEqual([onlyTraces?.traces, onlyTraces?.metrics], [true, false])
  })
})
