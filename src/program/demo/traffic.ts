import type { Random } from './random.ts'

const DAY_MS = 86_400_000

/** More people visit in the evening and at the weekend. */
const HOURS = [2, 1, 1, 1, 1, 2, 3, 5, 6, 6, 6, 6, 7, 6, 6, 6, 7, 8, 9, 11, 12, 11, 7, 4]
const WEEKDAYS = [1.2, 0.95, 0.9, 0.9, 0.95, 1.05, 1.2]
/** January to December. */
const MONTHS = [1.05, 0.95, 1, 1, 0.95, 0.85, 0.8, 0.85, 1, 1.05, 1.2, 1.45]
/** From the first day to the last. */
const GROWTH = 1.4

/** A few weeks of each year in which something brings more visitors. */
const CAMPAIGNS = [
  { name: 'newsletter', host: '', month: 1, day: 10, days: 5, gain: 0.6 },
  { name: 'spring-sale', host: 'social.example', month: 3, day: 2, days: 9, gain: 0.9 },
  { name: 'podcast', host: 'podcast.example', month: 5, day: 18, days: 6, gain: 0.5 },
  { name: 'book-fair', host: 'news.example', month: 9, day: 14, days: 7, gain: 0.7 },
  { name: 'black-week', host: 'social.example', month: 10, day: 21, days: 8, gain: 1.6 },
] as const

type Campaign = (typeof CAMPAIGNS)[number]

function campaignOn(day: Date): Campaign | undefined {
  return CAMPAIGNS.find(({ month, day: first, days }) => {
    const since = (day.getTime() - Date.UTC(day.getUTCFullYear(), month, first)) / DAY_MS
    return since >= 0 && since < days
  })
}

export type TrafficDay = { start: Date; weight: number; campaign: Campaign | undefined }

/** The days of a shop before a time, each with its share of all visits. The offset is that of the shop to UTC. */
export function trafficDays(end: Date, count: number, offsetMinutes: number): TrafficDay[] {
  const days = Array.from({ length: count }, (_, index) => {
    const start = new Date(end.getTime() - (count - index) * DAY_MS)
    const date = new Date(start.getTime() + offsetMinutes * 60_000)
    const campaign = campaignOn(date)
    const shape = (WEEKDAYS[date.getUTCDay()] ?? 1) * (MONTHS[date.getUTCMonth()] ?? 1)
    return { start, campaign, weight: (1 + (index / count) * GROWTH) * shape * (1 + (campaign?.gain ?? 0)) }
  })
  const all = days.reduce((sum, { weight }) => sum + weight, 0)
  return days.map((day) => ({ ...day, weight: day.weight / all }))
}

/**
 * Turns a share of a period, from 0 to 1, into the moment at which as much of its traffic is over. A larger share is a later
 * moment, and moments are as dense as the visits are.
 */
export function createTimeline(start: Date, end: Date): (share: number) => Date {
  const count = Math.max(1, Math.ceil((end.getTime() - start.getTime()) / DAY_MS))
  const hours = trafficDays(end, count, 0).flatMap((day) =>
    HOURS.map((weight, hour) => ({ at: day.start.getTime() + hour * 3_600_000, weight: weight * day.weight })),
  )
  const all = hours.reduce((sum, { weight }) => sum + weight, 0)
  const ends: number[] = []
  hours.reduce((sum, { weight }) => ends[ends.push(sum + weight / all) - 1] ?? 1, 0)
  return (share) => {
    let [low, high] = [0, hours.length - 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((ends[middle] ?? 1) > share) high = middle
      else low = middle + 1
    }
    const before = ends[low - 1] ?? 0
    const inside = (share - before) / ((ends[low] ?? 1) - before || 1)
    const at = (hours[low]?.at ?? start.getTime()) + Math.min(1, Math.max(0, inside)) * 3_600_000
    return new Date(Math.min(end.getTime() - 1000, Math.max(start.getTime(), at)))
  }
}

/** Values with their weights; a value is picked as often as its weight says. */
function picker<Value>(entries: readonly (readonly [Value, number])[]): (random: Random) => Value {
  const all = entries.flatMap(([value, weight]) => Array.from({ length: weight }, () => value))
  return (random) => random.pick(all)
}

const pickHour = picker(HOURS.map((weight, hour) => [hour, weight] as const))

const pickBrowser = picker([
  [{ operating_system: 'ios', device: 'phone' }, 28],
  [{ operating_system: 'android', device: 'phone' }, 26],
  [{ operating_system: 'windows', device: 'desktop' }, 22],
  [{ operating_system: 'os_x', device: 'desktop' }, 12],
  [{ operating_system: 'ios', device: 'tablet' }, 4],
  [{ operating_system: 'android', device: 'tablet' }, 3],
  [{ operating_system: 'linux', device: 'desktop' }, 3],
  [{ operating_system: 'fire_os', device: 'tablet' }, 1],
  [{ operating_system: 'chrome_os', device: 'desktop' }, 1],
])

const pickPlace = picker([
  [{ country: 'DE', language: 'de' }, 55],
  [{ country: 'AT', language: 'de' }, 10],
  [{ country: 'CH', language: 'de' }, 9],
  [{ country: 'GB', language: 'en' }, 7],
  [{ country: 'US', language: 'en' }, 7],
  [{ country: 'FR', language: 'en' }, 4],
  [{ country: 'NL', language: 'en' }, 4],
  [{ country: 'DK', language: 'en' }, 2],
  [{ country: '', language: 'en' }, 2],
])

const pickReferrer = picker([
  ['', 40],
  ['search.example', 38],
  ['social.example', 10],
  ['news.example', 7],
  ['video.example', 5],
])

/** A visit as it is counted when its day is over. */
export type SeededVisit = {
  visit_number: number
  started_at: Date
  ended_at: Date
  page_views: number
  landing_path: string
  campaign: string
  referrer_host: string
  operating_system: string
  device: string
  country: string
  language: string
}

/** The share of visits that end on their first page. */
export const BOUNCES = 0.44
const REPEATS = 0.09
const PAGES_MAX = 25
const SECONDS_PER_PAGE = 75

/** One visit of a day. `paths` are the pages on which visits begin. */
export function makeVisit(random: Random, { start, campaign }: TrafficDay, paths: readonly string[]): SeededVisit {
  // A part of the visits of a campaign's days would have come without it.
  const isOfCampaign = campaign !== undefined && random.often(campaign.gain / (1 + campaign.gain))
  const started = start.getTime() + pickHour(random) * 3_600_000 + random.below(3600) * 1000
  let page_views = 1
  if (!random.often(BOUNCES))
    do page_views += 1
    while (page_views < PAGES_MAX && random.often(0.68))
  const seconds = (page_views - 1) * (1 + random.below(2 * SECONDS_PER_PAGE))
  return {
    visit_number: random.often(REPEATS) ? 2 : 1,
    started_at: new Date(started),
    ended_at: new Date(Math.min(started + seconds * 1000, start.getTime() + DAY_MS - 1000)),
    page_views,
    landing_path: isOfCampaign || random.often(0.45) ? '/' : random.pick(paths),
    campaign: isOfCampaign ? campaign.name : '',
    referrer_host: isOfCampaign ? campaign.host : pickReferrer(random),
    ...pickBrowser(random),
    ...pickPlace(random),
  }
}
