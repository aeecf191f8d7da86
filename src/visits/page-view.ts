import type { FastifyRequest } from 'fastify'
import { hostName } from '#platform/own-address.ts'
import { boundedAgent, campaignOf, countryOfLanguages, referrerHostOf, viewedPath } from './rules.ts'
import type { PageView } from './state.ts'

/** What is counted of a page that was shown. Undefined: the browser fetched it before anybody asked for it. */
export function pageViewOf(request: FastifyRequest, isPrivate: boolean, at: Date): PageView | undefined {
  const { headers, url, visit, routeOptions } = request
  if (/prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`)) return undefined
  return {
    companyId: visit.shop.company_id,
    shopId: visit.shop.id,
    at,
    address: request.ip,
    userAgent: boundedAgent(headers['user-agent'] ?? ''),
    path: viewedPath({ url, route: routeOptions.url ?? '/', base: visit.base, isPrivate }),
    campaign: campaignOf(url),
    referrerHost: referrerHostOf(headers.referer ?? '', hostName(request.host)),
    country: countryOfLanguages(headers['accept-language'] ?? ''),
    language: visit.language,
  }
}
