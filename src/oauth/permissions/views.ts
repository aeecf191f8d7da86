import { html } from 'ghtml'
import { csrfField, type FormState, hidden, notice } from '#pages/form.ts'
import { address, type Html, layout, type Menu, name, tile } from '#pages/layout.ts'
import { readableDate } from '#pages/times.ts'
import type { AllowedApp } from '../queries.ts'
import { knownScopes } from '../scopes.ts'
import { SCOPE_TITLES } from '../views.ts'

export type PermissionsForm = FormState & { apps: AllowedApp[]; told?: string | undefined }

/** An app that was allowed more than once is listed once, with all of its scopes. */
function oncePerApp(apps: AllowedApp[]): AllowedApp[] {
  const byId = new Map<number, AllowedApp>()
  for (const app of apps) {
    const latest = byId.get(app.app_id) ?? app
    byId.set(app.app_id, { ...latest, scopes: [...new Set([...latest.scopes, ...app.scopes])] })
  }
  return [...byId.values()]
}

function row(form: PermissionsForm, app: AllowedApp): Html {
  const uses = knownScopes(app.scopes).map((scope) => SCOPE_TITLES[scope])
  return html`<li><div class="row app">!${tile(app.name)}<div class="grow"><strong>!${name(app.name)}</strong>
<p>${uses.join(', ')}</p>
<p class="faint">Allowed by !${address(app.user_email)} on !${readableDate(app.created_at)}</p></div></div>
<details class="ask"><summary class="button quiet small"><span class="unasked">Remove<span class="unseen"> ${app.name}</span></span><span class="asked">Keep it</span></summary>
<form method="post" action="/account/apps">!${csrfField(form)}!${hidden('app', String(app.app_id))}
<p>It stops working for your company at once. To use it again, somebody has to allow it again.</p>
<button class="danger small">Remove !${name(app.name)}</button></form></details></li>`
}

export function permissionsPage(menu: Menu, form: PermissionsForm): Html {
  const rows = oncePerApp(form.apps).map((app) => row(form, app))
  const list =
    rows.length === 0
      ? html`<h2>No apps yet</h2><p class="faint">An app asks you before it may do anything. Once you have allowed it, you find it here.</p>`
      : html`<ul class="rows">!${rows.join('')}</ul>`
  return layout({
    title: 'Apps',
    navigation: { menu, current: '/account/apps' },
    main: html`<h1>Apps</h1>
<p class="lead">What works for your company, and what it may use.</p>
!${notice(form.told)}
<section class="card">!${list}</section>`,
  })
}
