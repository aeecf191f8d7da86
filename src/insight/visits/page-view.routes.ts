import type { FastifyRequest } from 'fastify'
import { hostName } from '#platform/wire/own-address.ts'
import { boundedAgent, campaignOf, countryOfLanguages, referrerHostOf, viewedPath } from './rules.ts'
import type { PageView } from './state.ts'

type ShownPage = Pick<FastifyRequest, 'url' | 'visit'> & { route: string; acceptLanguage: string; isPrivate: boolean }

type Viewer = Pick<FastifyRequest, 'headers' | 'ip' | 'host'>

/**
 * Makes the function that says what is counted of a page when it is shown to somebody. It returns undefined if the browser
 * fetched the page before anybody asked for it.
 */
export function viewsOf({ url, route, acceptLanguage, visit, isPrivate }: ShownPage) {
  const page = {
    companyId: visit.shop.company_id,
    shopId: visit.shop.id,
    path: viewedPath({ url, route, base: visit.base, isPrivate }),
    campaign: campaignOf(url),
    country: countryOfLanguages(acceptLanguage),
    language: visit.language,
  }
  return ({ headers, ip, host }: Viewer, at: Date): PageView | undefined => {
    const { 'sec-purpose': purpose, purpose: formerly } = headers
    if ((purpose ?? formerly) !== undefined && /prefetch|prerender/.test(`${purpose} ${formerly}`)) return undefined
    return {
      ...page,
      at,
      address: ip,
      userAgent: boundedAgent(headers['user-agent'] ?? ''),
      referrerHost: headers.referer === undefined ? '' : referrerHostOf(headers.referer, hostName(host)),
    }
  }
}
