import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EarlyAnswer, FindAnswer } from '#platform/http/answers/early-answers.ts'
import type { EncodedPage } from '#platform/http/answers/encoded-page.ts'
import { chooseEncoding } from '#platform/http/answers/encodings.ts'
import type { ShopCache } from '#shop/cache/cache.ts'
import type { ThemeFault } from '#shop/themes/state.ts'
import type { Viewer } from './viewers.site.ts'

/** A page that a visitor was shown, for the next one. */
export type KeptPage = {
  route: string
  fault: ThemeFault | undefined
  count: (viewer: Viewer) => void
  as: EncodedPage['as']
}

declare module '#shop/cache/cache.ts' {
  interface CacheValues {
    page: KeptPage
  }
}

/** The key of a page for visitors without a cookie; undefined for everybody else, to whom no kept page is shown. */
export function guestKey({ url, host, headers }: Pick<FastifyRequest, 'url' | 'host' | 'headers'>): string | undefined {
  const { cookie: cookies = '', 'accept-language': acceptLanguage = '' } = headers
  return cookies === '' ? `${host} ${url} ${acceptLanguage}` : undefined
}

/** Finds the page for a visitor without a cookie, if one before was shown the same. */
export function createKeptPages(cache: ShopCache): FindAnswer {
  return ({ url, host, ip, headers }) => {
    const key = guestKey({ url, host, headers })
    const kept = key === undefined ? undefined : cache.find('page', key)
    if (kept === undefined) return undefined
    const { route, count } = kept.value
    count({ headers, ip, host })
    const page = inEncoding(kept.value, { headers })
    return { route, body: page.body, headers: [...page.headers, 'age', String(kept.ageSeconds)] }
  }
}

/** A kept page in the encoding that the browser prefers. */
export function inEncoding({ as }: Pick<KeptPage, 'as'>, { headers }: Pick<FastifyRequest, 'headers'>) {
  return as(chooseEncoding(String(headers['accept-encoding'] ?? '')))
}

export function sendKept(reply: FastifyReply, { headers, body }: Pick<EarlyAnswer, 'headers' | 'body'>): FastifyReply {
  for (let place = 0; place < headers.length; place += 2) reply.header(headers[place] ?? '', headers[place + 1])
  return reply.send(body)
}
