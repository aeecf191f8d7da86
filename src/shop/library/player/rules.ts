import { parseTime } from '#platform/wire/times.ts'
import type { Refusal } from '#rights/entitlements/rights/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'

/** Was it sold for a time? */
function isRented({ expire_after_first_use, expire_after_acquisition, expiration_date }: EntitlementState['terms']) {
  return expire_after_first_use > 0 || expire_after_acquisition > 0 || expiration_date !== null
}

/** The page on which a customer can do something about a refusal, and the key of the text of its link. */
export function remedyFor(
  code: Refusal,
  { product_key, terms }: Pick<EntitlementState, 'product_key' | 'terms'>,
): { path: string; text: string } {
  if (code === 'device_limit' || code === 'annual_device_limit')
    return { path: '/account/devices', text: 'player.remedies.devices' }
  if (code === 'expired' || code === 'refunded' || code === 'cancelled')
    return {
      path: `/products/${product_key}`,
      text: isRented(terms) ? 'player.remedies.rent_again' : 'player.remedies.buy_again',
    }
  if (code === 'order_not_confirmed') return { path: '/account/orders', text: 'player.remedies.orders' }
  return { path: '/my-content', text: 'player.remedies.content' }
}

/** The time of the device in a form. What is no time says as little as a form without one. */
export function clientTimeIn(text: string): { client_time?: string } {
  return parseTime(text) === undefined ? {} : { client_time: text }
}

const SECONDS_MAX = 10_000_000

/** A number of seconds from a form. Players send fractions, and positions of broken files are not numbers. */
function readSeconds(text: string): number {
  const seconds = Math.floor(Number(text))
  return seconds > 0 && seconds <= SECONDS_MAX ? seconds : 0
}

/** How much is behind the customer, from 0 to 1; a length that is not known counts as nothing. */
function fractionOf(seconds: number, duration: number): number {
  return duration <= 0 ? 0 : Math.min(1, seconds / duration)
}

/** The place that a page tells: in a book by a name for it and how much is read, in a film by the seconds. */
export function readPlace(told: { seconds: string; duration: string; place: string; fraction: string }) {
  if (told.place !== '') {
    const fraction = Number(told.fraction)
    return { seconds: 0, place: told.place.replaceAll('\0', ''), fraction: fraction > 0 ? Math.min(1, fraction) : 0 }
  }
  const seconds = readSeconds(told.seconds)
  return { seconds, place: '', fraction: fractionOf(seconds, readSeconds(told.duration)) }
}

/** Where to go on: near the end it begins again. */
export function resumeAt({ seconds, fraction }: { seconds: number; fraction: number }, finished: number): number {
  return fraction >= finished ? 0 : seconds
}
