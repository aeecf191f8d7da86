import { html } from 'ghtml'
import { localTime, type Place, zoneName } from '../text/times.ts'
import type { Html } from './layout.ts'
import type { Reader } from './reader.ts'

const placeOf = ({ t, utcOffset }: Reader): Place => ({ language: t.language, utcOffset })

const element = (time: Date, text: string) => html`<time datetime="${time.toISOString()}">${text}</time>`

export function readableTime(reader: Reader, time: Date): Html {
  const place = placeOf(reader)
  const [date, clock] = [localTime(place, time, 'date'), localTime(place, time, 'clock')]
  return element(time, `${date}, ${clock} ${zoneName(reader.utcOffset)}`)
}

export function readableDate(reader: Reader, time: Date): Html {
  return element(time, localTime(placeOf(reader), time, 'date'))
}

export function readableDay(reader: Reader, time: Date): string {
  return localTime(placeOf(reader), time, 'day')
}

/** The time of the day, on a page that says which zone it is in. */
export function readableClock(reader: Reader, time: Date): Html {
  return element(time, localTime(placeOf(reader), time, 'clock'))
}
