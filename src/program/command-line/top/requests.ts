/** What a service has counted of one route since its start. */
export type Counted = { count: number; failed: number; seconds: number }

export type Requests = ReadonlyMap<string, Counted>

const LINE = /^licet_http_request_seconds_(count|sum)\{([^}]*)\} (\S+)$/
const LABEL = /([a-z_]{1,30})="([^"]{0,300})"/g

/** The requests in the text of `/metrics`, by method and route. */
export function readRequests(text: string): Requests {
  const found = new Map<string, Counted>()
  for (const line of text.split('\n')) {
    const [, part, labels = '', value = ''] = LINE.exec(line) ?? []
    if (part === undefined) continue
    const {
      method = '',
      route = '',
      status = '',
    } = Object.fromEntries([...labels.matchAll(LABEL)].map(([, name = '', text]) => [name, text]))
    const name = `${method} ${route}`
    const counted = found.get(name) ?? { count: 0, failed: 0, seconds: 0 }
    found.set(name, counted)
    if (part === 'sum') counted.seconds += Number(value)
    else counted.count += Number(value)
    if (part === 'count' && status.startsWith('5')) counted.failed += Number(value)
  }
  return found
}

export type Rate = { route: string; per_second: number; failed_per_second: number; mean_ms: number }

/** What was asked between two readings, the busiest route first. A service that has started meanwhile counts from 0. */
export function ratesBetween(before: Requests, after: Requests, seconds: number): Rate[] {
  const rates = [...after].flatMap(([route, now]): Rate[] => {
    const then = before.get(route)
    const since = then === undefined || then.count > now.count ? { count: 0, failed: 0, seconds: 0 } : then
    const count = now.count - since.count
    if (count <= 0 || seconds <= 0) return []
    const mean_ms = ((now.seconds - since.seconds) / count) * 1000
    return [{ route, per_second: count / seconds, failed_per_second: (now.failed - since.failed) / seconds, mean_ms }]
  })
  return rates.sort((one, other) => other.per_second - one.per_second)
}
