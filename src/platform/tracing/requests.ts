import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inside, isTracing, type Span, startSpan } from './trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent as long as nobody wants traces. */
    span: Span | undefined
  }
}

/**
 * A span for each request, which goes on with the trace of the caller if the request has a `traceparent`. It names the route and
 * not the address, which may hold secrets and names. Call it before anything else adds a hook.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return
  app.decorateRequest('span')
  app.addHook('onRequest', (request, reply, done) => {
    const span = begin(request)
    if (span === undefined) return done()
    request.span = span
    // Also when the client has gone before the answer.
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw
      if (writableFinished) span.set({ 'http.response.status_code': statusCode })
      if (statusCode >= 500) span.fail(String(statusCode))
      span.end()
    })
    inside(span, done)
  })
  // The body arrives in events of the connection, outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span === undefined) done()
    else inside(request.span, done)
  })
}

function begin({ method, routeOptions, headers, id, protocol }: FastifyRequest): Span | undefined {
  const route = routeOptions.url ?? 'unknown'
  const { traceparent } = headers
  return startSpan(`${method} ${route}`, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: { 'http.request.method': method, 'http.route': route, 'url.scheme': protocol, 'licet.request_id': id },
  })
}
