import type { FastifyRequest } from 'fastify'

/** Pages that lead on by themselves, or would lead back here. */
const PASSING = /\/(play|read|open)(\?|$)|^\/(login|handover|register|logout)(\/|\?|$)/

/**
 * The page of the shop from which a visitor came to the player or the reader: there its arrow leads back. Somebody from
 * elsewhere gets to My Content.
 */
export function backOf({ headers, host, visit: { base } }: FastifyRequest): string {
  const from = URL.parse(headers.referer ?? '')
  const path = from === null ? '' : `${from.pathname}${from.search}`
  const isHere = from?.host === host.toLowerCase() && path.startsWith(`${base}/`) && !path.startsWith('//')
  return isHere && !PASSING.test(path.slice(base.length)) ? path : `${base}/my-content`
}

/** Scripts of the page ask for JSON; a form without a script gets the page. */
export function wantsJson({ headers }: FastifyRequest): boolean {
  return headers.accept === 'application/json'
}
