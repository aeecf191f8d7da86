import { html } from 'ghtml'
import type { Html } from './layout.ts'

/** Made when it is first needed: a format takes tens of milliseconds, which a start need not wait for. */
function inEnglish(options: Intl.DateTimeFormatOptions): (time: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return (time) => {
    format ??= new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
    return format.format(time)
  }
}

const day = inEnglish({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const date = inEnglish({ day: 'numeric', month: 'short', year: 'numeric' })
const clock = inEnglish({ hour: '2-digit', minute: '2-digit' })

const element = (time: Date, text: string) => html`<time datetime="${time.toISOString()}">${text}</time>`

/** A time in a readable form, the same for every reader. */
export function readableTime(time: Date): Html {
  return element(time, `${date(time)}, ${clock(time)} UTC`)
}

export function readableDate(time: Date): Html {
  return element(time, date(time))
}

export function readableDay(time: Date): string {
  return day(time)
}

export function readableClock(time: Date): Html {
  return element(time, clock(time))
}
