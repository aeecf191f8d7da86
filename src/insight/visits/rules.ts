import { acceptedLanguages } from '#platform/text/accepted-languages.ts'
import type { OperatingSystem } from '#selling/orders/statistics/rules.ts'
import { countryOf } from '#shop/site/rules.ts'
import type { Device, Traffic } from './state.ts'

/** An Android tablet is one whose browser does not call itself mobile. An iPad may call itself a Mac. */
export function deviceOf(userAgent: string, system: OperatingSystem): Device {
  if (system === 'unknown') return 'unknown'
  if (system === 'fire_os' || /\biPad\b|\bTablet\b/.test(userAgent)) return 'tablet'
  if (system === 'ios' || /\bMobile\b/.test(userAgent)) return 'phone'
  return system === 'android' ? 'tablet' : 'desktop'
}

const USER_AGENT_MAX = 500

/** No browser has a user agent longer than this, and it is kept in memory. */
export function boundedAgent(userAgent: string): string {
  return userAgent.length > USER_AGENT_MAX ? '' : userAgent
}

const HOST_MAX = 253
const PATH_MAX = 500
const CAMPAIGN_MAX = 100

/** The host of the page with the link that led here; empty if it is the shop itself. */
export function referrerHostOf(referrer: string, ownHost: string): string {
  const url = URL.parse(referrer)
  if (url === null || !/^https?:$/.test(url.protocol)) return ''
  return url.hostname === ownHost || url.hostname.length > HOST_MAX ? '' : url.hostname
}

/** A page that is about one visitor may have a secret in its address, so only the pattern of its route is kept. */
export function viewedPath({
  url,
  route,
  base,
  isPrivate,
}: Record<'url' | 'route' | 'base', string> & { isPrivate: boolean }): string {
  const path = isPrivate ? route.replace(/^\/shop\/:shop/, '') : pathOf(url).slice(base.length)
  // A part of a text would keep the whole text in memory.
  return Buffer.from(path.slice(0, PATH_MAX)).toString() || '/'
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** The campaign that a link names, as `utm_source` or `ref`. The rest of the query may say too much about a person. */
export function campaignOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const query = new URLSearchParams(url.slice(start))
  const name = query.get('utm_source') ?? query.get('ref') ?? ''
  // PostgreSQL stores no NUL, and half a character is no text.
  return name.replaceAll('\0', '').slice(0, CAMPAIGN_MAX).toWellFormed()
}

export function countryOfLanguages(acceptLanguage: string): string {
  return countryOf(acceptedLanguages(acceptLanguage)) ?? ''
}

const MINUTE_MS = 60_000

export function endOfDay(day: string, offsetMinutes: number): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + (24 * 60 - offsetMinutes) * MINUTE_MS)
}

export const NO_TRAFFIC: Traffic = { visits: 0, page_views: 0, visitors: 0, repeating_visitors: 0, bots: 0, bounces: 0 }
