import { html } from 'ghtml'
import type { FormState } from './form.ts'
import { type Html, layout } from './layout.ts'

/** The pages of somebody who has signed in; each resource serves its own. */
const LINKS = [
  { href: '/account', text: 'Account' },
  { href: '/account/second-factor', text: 'Two-step sign-in' },
  { href: '/account/apps', text: 'Apps' },
  { href: '/account/activity', text: 'Activity' },
]

export type AccountPage = { title: string; current: string; main: Html; form?: Pick<FormState, 'mistakes' | 'alarm'> }

export function accountPage({ title, current, main, form }: AccountPage): Html {
  return layout({ title, main, form, navigation: { links: LINKS, current } })
}

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const DAY = inEnglish({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const DATE = inEnglish({ day: 'numeric', month: 'short', year: 'numeric' })
const CLOCK = inEnglish({ hour: '2-digit', minute: '2-digit' })

const element = (time: Date, text: string) => html`<time datetime="${time.toISOString()}">${text}</time>`

/** A time as people read it, the same for everybody who looks at it. */
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
