import { html } from 'ghtml'
import type { Html } from './layout.ts'

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const DAY = inEnglish({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const DATE = inEnglish({ day: 'numeric', month: 'short', year: 'numeric' })
const CLOCK = inEnglish({ hour: '2-digit', minute: '2-digit' })

const element = (time: Date, text: string) => html`<time datetime="${time.toISOString()}">${text}</time>`

/** A time in a readable form, the same for every reader. */
export function readableTime(time: Date): Html {
  return element(time, `${DATE.format(time)}, ${CLOCK.format(time)} UTC`)
}

export function readableDate(time: Date): Html {
  return element(time, DATE.format(time))
}

export function readableDay(time: Date): string {
  return DAY.format(time)
}

export function readableClock(time: Date): Html {
  return element(time, CLOCK.format(time))
}
