import { html } from 'ghtml'
import { accountPage, readableTime } from '#platform/pages/account.ts'
import { type FormState, type Html, hidden, notice, proof } from '#platform/pages/layout.ts'
import type { AllowedApp } from '../queries.ts'

export type PermissionsForm = FormState & { apps: AllowedApp[]; told?: string }

export function permissionsPage(form: PermissionsForm): Html {
  const rows = form.apps.map(
    ({ app_id, name, scopes, user_email, created_at }) => html`<li><p><strong>${name}</strong><br>
<span class="faint">${scopes.join(', ')}<br>allowed by ${user_email}, ${readableTime(created_at)}</span></p>
<form method="post" action="/account/apps">!${proof(form)}!${hidden('app', String(app_id))}
<button class="quiet small" aria-label="Remove ${name}">Remove</button></form></li>`,
  )
  const list =
    rows.length === 0
      ? html`<p class="faint">No app may do anything for your company.</p>`
      : html`<ul class="rows">!${rows.join('')}</ul>`
  return accountPage({
    title: 'Apps',
    current: '/account/apps',
    main: html`<div class="card"><h1>Apps</h1>!${notice(form.told)}
<p>These apps may act for your company. One that you remove can do nothing any more from that moment on.</p>
!${list}</div>`,
  })
}
