import type { FastifyInstance, FastifyReply } from 'fastify'

const SENT = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id'
const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Total-Count, WWW-Authenticate, X-Request-Id'
const METHODS = 'GET, HEAD, POST, PUT, DELETE'
/** Chromium remembers the answer to a preflight for no longer. */
const MAX_AGE_SECONDS = '7200'

/** Does a path belong to the paths that pages of any origin may use? */
export type IsShared = (url: string) => boolean

/**
 * A path counts as shared if it is one of the given, or lies below one. These paths read no cookie: a token is all that
 * gives access, so any origin may use them.
 */
export function sharedPaths(paths: readonly string[]): IsShared {
  return (url) => paths.some((path) => url.startsWith(path) && isEnd(url.charCodeAt(path.length)))
}

/** The end of the address, a slash, or a question mark. */
function isEnd(code: number): boolean {
  return Number.isNaN(code) || code === 0x2f || code === 0x3f
}

/**
 * Lets pages of every origin read the answers of shared paths. The headers are set before anything can refuse the
 * request, and whether or not it comes from a page, so that a cached answer has them too.
 */
export function allowOrigins(app: FastifyInstance, isShared: IsShared): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isShared(request.url)) setOrigin(reply)
    done()
  })
}

export function setOrigin({ raw }: FastifyReply): void {
  raw.setHeader('Access-Control-Allow-Origin', '*')
  raw.setHeader('Access-Control-Expose-Headers', EXPOSED)
}

/** The headers of the answer to a preflight. They are the same for every path: an error is read after the preflight. */
export const PREFLIGHT = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': SENT,
  'access-control-max-age': MAX_AGE_SECONDS,
}
