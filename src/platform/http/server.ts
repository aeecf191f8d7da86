import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { MachineClock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Permission } from '../identity/permission.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { traceRequests } from '../tracing/requests.ts'
import { PATH_PART_MAX } from '../wire/schema.ts'
import { addEarlyAnswers } from './answers/early-answers.ts'
import { ENCODINGS, settleEncoding } from './answers/encodings.ts'
import { endStreamsOfHead } from './answers/head-answers.ts'
import { type ConnectionLimits, limitConnections } from './connections.ts'
import { addDraining } from './draining.ts'
import { type AddressPage, answerBrokenRequest, createFrameworkErrors, handleErrors } from './errors.ts'
import { addHealth } from './health.ts'
import { createRequestLog } from './request-log.ts'
import { requireAccess } from './requests/access.ts'
import { type Authentication, authenticate } from './requests/authenticate.ts'
import { allowOrigins, sharedPaths } from './requests/cors.ts'
import { readJson } from './requests/json.ts'
import { answerMethods } from './requests/methods.ts'
import { limitBodyTime } from './requests/slow-bodies.ts'
import { type Shedding, shedLoad } from './shedding/shedding.ts'
import { addSites } from './sites.ts'
import { addTransfers } from './transfers.ts'
import { AJV_OPTIONS } from './values/ajv-options.ts'
import { lazyValidators } from './values/validators.ts'
import { addWrite } from './write.ts'

export type ServerOptions = Authentication & {
  db: Db
  reads: Db
  clock: MachineClock
  log: Log
  metrics: Metrics
  bodyLimitBytes: number
  trustProxy: string[]
  connections: ConnectionLimits
  shedding: Shedding
  metricsToken: string | undefined
  /** The permissions that a user needs for every route, and with the user an app. */
  permissionsAlways?: readonly Permission[]
  /** The key of the hashes by which a repeated request is recognised. */
  fingerprintKey: Buffer
  addressPage?: AddressPage
  /** Paths that end in a secret, such as `/reset/:token`: the log leaves it out. */
  secretPaths?: readonly string[]
  /** Paths, with everything below them, that pages of any origin may use. They must not read cookies. */
  sharedPaths?: readonly string[]
  /** Another name of a path, such as `/old`, by its beginning. */
  otherPaths?: Readonly<Record<string, string>>
}

/** A caller's own id is kept if it is short and plain; it is written into logs and headers. */
const PLAIN_ID = /^[A-Za-z0-9._-]{1,64}$/

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && PLAIN_ID.test(given) ? given : randomUUIDv7()
}

/** Creates the HTTP server that every resource adds its routes to. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const isShared = sharedPaths(options.sharedPaths ?? [])
  const { addressPage = () => undefined } = options
  const app = Fastify({
    loggerInstance: createRequestLog(options.log, options.secretPaths ?? []),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustProxy.length === 0 ? false : options.trustProxy,
    // limitBodyTime has a limit for each request instead.
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // What arrives before the last connection is closed is done.
    return503OnClosing: false,
    frameworkErrors: createFrameworkErrors(isShared, addressPage),
    rewriteUrl: createRewrite(options.otherPaths ?? {}),
    clientErrorHandler: answerBrokenRequest,
    ajv: { customOptions: AJV_OPTIONS },
    schemaController: { compilersFactory: { buildValidator: lazyValidators() } },
    routerOptions: { maxParamLength: PATH_PART_MAX },
  } as never) as unknown as FastifyInstance
  traceRequests(app)
  addEarlyAnswers(app, { ...options, requestId })
  addDraining(app)
  limitConnections(app.server, options.connections, options.trustProxy)
  limitBodyTime(app.server)
  addTransfers(app)
  endStreamsOfHead(app)
  app.withTypeProvider<TypeBoxTypeProvider>()
  // Documents are stored as text and sent as they are; nothing is left for a compiled serialiser to do.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateRequest('caller')
  app.decorate('baseUrl', '')
  const siteOf = addSites(app, options.trustProxy)
  readJson(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('X-Request-Id', request.id)
    settleEncoding(request.raw.headers)
    done()
  })
  allowOrigins(app, isShared)
  logRequests(app, options.log)
  options.metrics.watch(app)
  requireAccess(app, options.permissionsAlways ?? [])
  // Before anything is asked of the database.
  shedLoad(app, options)
  // Before the method is refused, so that this counts too.
  authenticate(app, options, isShared)
  const refuseMethod = answerMethods(app, siteOf, isShared)
  handleErrors(app, refuseMethod, addressPage)
  addWrite(app, options.db, options.clock, options.fingerprintKey)
  await app.register(compress, { threshold: 1024, encodings: ENCODINGS, globalDecompression: false })
  addHealth(app, options.reads, options.metrics, options.metricsToken)
  return app
}

const ORIGIN = /^https?:\/\/[^/?#]*/i

/**
 * A request line may have a whole address (RFC 9112, section 3.2.2). Only its path counts: the host in it is that of nobody
 * here, and must not get into links, redirects or caches.
 */
function dropOrigin(request: IncomingMessage): string {
  const { url = '/', method } = request
  // Only OPTIONS may ask about the whole server (section 3.2.4). The router would take the asterisk for the home page.
  if (url === '*' && method !== 'OPTIONS') return '/*'
  if (!ORIGIN.test(url)) return url
  const path = url.replace(ORIGIN, '')
  const originalUrl = path.startsWith('/') ? path : `/${path}`
  Object.assign(request, { originalUrl })
  return originalUrl
}

/** Clients mix the names of a path. The log and links to further pages keep the one that was asked for. */
function createRewrite(otherPaths: Readonly<Record<string, string>>) {
  const names = Object.entries(otherPaths)
  return (request: IncomingMessage): string => {
    const url = dropOrigin(request)
    const found = names.find(([other]) => url.startsWith(`${other}/`))
    return found === undefined ? url : found[1] + url.slice(found[0].length)
  }
}

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (log.isLevelEnabled('debug'))
      request.log.debug({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'request')
    done()
  })
}
