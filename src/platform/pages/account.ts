import { type Html, layout } from './layout.ts'

/** The pages of somebody who has signed in; each resource serves its own. */
const LINKS = [
  { href: '/account', text: 'Account' },
  { href: '/account/second-factor', text: 'Second step' },
  { href: '/account/apps', text: 'Apps' },
  { href: '/account/activity', text: 'Activity' },
]

export function accountPage({ title, current, main }: { title: string; current: string; main: Html }): Html {
  return layout({ title, main, navigation: { links: LINKS, current } })
}

/** A time as people read it, the same for everybody who looks at it. */
export function readableTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
