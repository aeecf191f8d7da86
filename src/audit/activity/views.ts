import { html } from 'ghtml'
import { accountPage, readableTime } from '#platform/pages/account.ts'
import type { Html } from '#platform/pages/layout.ts'
import type { Entry } from './queries.ts'

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export function activityPage(entries: Entry[]): Html {
  const rows = entries.map(
    ({ action, subject, address, created_at, user_email }) =>
      html`<li><p><strong>${sentence(action)}</strong>!${
        subject === '' ? '' : html`: ${subject}`
      }<br><span class="faint">${readableTime(created_at)}, ${user_email ?? 'somebody'}, from ${address}</span></p></li>`,
  )
  return accountPage({
    title: 'Activity',
    current: '/account/activity',
    main: html`<div class="card"><h1>Activity</h1>
<p>Who came in, and who was let in, the latest first. It is kept for a year.</p>
<ul class="rows">!${rows.join('')}</ul></div>`,
  })
}
