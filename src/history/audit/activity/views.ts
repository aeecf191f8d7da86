import { html } from 'ghtml'
import { address, type Html, layout, type Menu, name } from '#platform/pages/layout.ts'
import { readableClock, readableDay } from '#platform/pages/times.ts'
import type { Action } from '../actions.facts.ts'
import type { ActivityEntry } from './queries.ts'

/** Actions whose stored name differs from the words on the page. */
const WORDS = {
  'first run': 'Shop set up',
  'password reset asked for': 'New password asked for',
  'password reset': 'New password chosen by mail',
  'second factor turned on': 'Two-step sign-in turned on',
  'second factor turned off': 'Two-step sign-in turned off',
  'recovery codes made': 'New recovery codes made',
  'app created': 'App registered',
  'app secret rotated': 'App got a new secret',
  'app permission removed': 'App removed',
  'token exchanged': 'App renewed its access',
  'token exchange refused': 'App was refused access',
  'token revoked': 'App gave back its access',
} satisfies Partial<Record<Action, string>>
const wordsOf = new Map<string, string>(Object.entries(WORDS))

/** Subjects whose stored words differ from the words on the page. */
const DETAILS = new Map([['wrong second factor', 'wrong code']])

/** Actions that may be signs of an attack. */
const REFUSALS: readonly string[] = ['sign-in refused', 'token exchange refused'] satisfies Action[]

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function row({ action, subject, address: from, created_at, user_email }: ActivityEntry): Html {
  const words = wordsOf.get(action) ?? sentence(action)
  const about = subject === user_email ? '' : (DETAILS.get(subject) ?? subject)
  return html`<li!${REFUSALS.includes(action) ? ' class="refusal"' : ''}>!${readableClock(created_at)}
<div><p><strong>${words}</strong> !${name(about)}</p>
<p class="faint">!${user_email === null ? 'Somebody unknown' : address(user_email)}, <span>${from}</span></p></div></li>`
}

/** Each day gets a heading, so that a row shows only the time. */
export function activityPage(menu: Menu, entries: ActivityEntry[]): Html {
  const days = Map.groupBy(entries, ({ created_at }) => readableDay(created_at))
  const sections = [...days].map(
    ([day, rows]) =>
      html`<section class="card"><h2>${day}</h2><ul class="log">!${rows.map(row).join('')}</ul></section>`,
  )
  return layout({
    title: 'Activity',
    navigation: { menu, current: '/account/activity' },
    main: html`<h1>Activity</h1>
<p class="lead">Who signed in, what changed, and which apps were let in, the latest first. Times are UTC.</p>
!${sections.join('')}`,
  })
}
