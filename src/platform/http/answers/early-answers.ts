import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../log/metrics.ts'
import { belongsTo } from '../proxies.ts'
import { askedHost } from '../sites.ts'

/** A GET request without a body, before a route is found for it. */
export type EarlyRequest = { url: string; host: string; ip: string; headers: IncomingHttpHeaders }

/** `headers` are names and values in turn. `route` is the one that would have answered, for the metrics. */
export type EarlyAnswer = { route: string; headers: readonly string[]; body: Buffer }

export type FindAnswer = (request: EarlyRequest) => EarlyAnswer | undefined

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Answers requests whose whole response is in memory, before a route is found and its hooks run, which cost more than
     * sending the response. A request that `find` does not know takes the usual way.
     */
    answerEarly(find: FindAnswer): void
  }
}

type Options = {
  log: Log
  metrics: Pick<Metrics, 'answered'>
  trustProxy: readonly string[]
  requestId: (request: IncomingMessage) => string
}

/** Call it before anything else listens to the server. */
export function addEarlyAnswers(app: FastifyInstance, { log, metrics, trustProxy, requestId }: Options): void {
  const isProxy = belongsTo(trustProxy)
  let find: FindAnswer = () => undefined
  app.decorate('answerEarly', (finder: FindAnswer) => {
    find = finder
  })

  /** No hook of a route catches what is thrown here; the usual way meets the same failure, and answers it. */
  function findOrPass(request: EarlyRequest): EarlyAnswer | undefined {
    try {
      return find(request)
    } catch (error) {
      log.error({ err: error }, 'looking for an early answer failed')
      return undefined
    }
  }

  function isAnswered(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request
    if (method !== 'GET' || log.isLevelEnabled('debug')) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const ip = clientAddress(request, isProxy)
    if (ip === undefined) return false
    const started = performance.now()
    const answer = findOrPass({ url, host: askedHost(request, isProxy), ip, headers })
    if (answer === undefined) return false
    const { body, route } = answer
    const more = ['content-length', String(body.length), 'X-Request-Id', requestId(request)]
    response.writeHead(200, [...answer.headers, ...more])
    response.end(body, () => metrics.answered('GET', route, 200, (performance.now() - started) / 1000))
    return true
  }

  const [usual] = app.server.listeners('request')
  if (usual === undefined) throw new Error('the server has no listener for requests')
  app.server.off('request', usual as (...args: unknown[]) => void)
  app.server.on('request', (request, response) => {
    if (!isAnswered(request, response)) usual.call(app.server, request, response)
  })
}

/**
 * The same as `request.ip`, which does not exist before a route is found: the first address that is no trusted proxy, from
 * the nearest on. Undefined if a proxy names something that is no address.
 */
function clientAddress(
  { headers, socket }: IncomingMessage,
  isProxy: (address: string) => boolean,
): string | undefined {
  const { remoteAddress: nearest = '' } = socket
  const { 'x-forwarded-for': forwarded } = headers
  if (forwarded === undefined || !isProxy(nearest)) return nearest
  const named = String(forwarded)
    .split(',')
    .map((address) => address.trim())
    .reverse()
  if (!named.every((address) => isIP(address) !== 0)) return undefined
  return named.find((address) => !isProxy(address)) ?? named.at(-1)
}
