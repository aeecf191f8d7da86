import { html } from 'ghtml'
import { csrfField, type FormState, hidden, notice } from '#platform/pages/form.ts'
import { address, type Html, layout, type Menu, name, tile } from '#platform/pages/layout.ts'
import { readableDate } from '#platform/pages/times.ts'
import type { AllowedApp, CustomerApp } from '../queries.ts'
import { knownScopes, SCOPES } from '../scopes.facts.ts'
import { SCOPE_TITLES } from '../views.ts'

export type PermissionsForm = FormState & {
  apps: AllowedApp[]
  customerApps: CustomerApp[]
  told?: string | undefined
}

/** An app that was allowed more than once is listed once, with all of its scopes. */
function oncePerApp(apps: AllowedApp[]): AllowedApp[] {
  const byId = new Map<number, AllowedApp>()
  for (const app of apps) {
    const latest = byId.get(app.app_id) ?? app
    byId.set(app.app_id, { ...latest, scopes: [...new Set([...latest.scopes, ...app.scopes])] })
  }
  return [...byId.values()]
}

type Row = { appId: number; appName: string; uses: string; allowed: Html; after: string }

function rowOf(app: AllowedApp): Row {
  return {
    appId: app.app_id,
    appName: app.name,
    uses: knownScopes(app.scopes)
      .map((scope) => SCOPE_TITLES[scope])
      .join(', '),
    allowed: html`Allowed by !${address(app.user_email)} on !${readableDate(app.created_at)}`,
    after: 'To use it again, somebody has to allow it again.',
  }
}

/** An app that customers have let in, each for themselves. */
function rowOfCustomers({ app_id, name: appName, customers, created_at }: CustomerApp): Row {
  const who = customers === 1 ? '1 customer' : `${customers} customers`
  return {
    appId: app_id,
    appName,
    uses: SCOPES.player,
    allowed: html`Allowed by ${who}, last on !${readableDate(created_at)}`,
    after: 'To use it again, each customer has to allow it again.',
  }
}

function row(form: PermissionsForm, app: Row): Html {
  return html`<li><div class="row app">!${tile(app.appName)}<div class="grow"><strong>!${name(app.appName)}</strong>
<p>${app.uses}</p>
<p class="faint">!${app.allowed}</p></div></div>
<details class="ask"><summary class="button quiet small"><span class="unasked">Remove<span class="unseen"> ${app.appName}</span></span><span class="asked">Keep it</span></summary>
<form method="post" action="/account/apps">!${csrfField(form)}!${hidden('app', String(app.appId))}
<p>It stops working for your company at once. ${app.after}</p>
<button class="danger small">Remove !${name(app.appName)}</button></form></details></li>`
}

export function permissionsPage(menu: Menu, form: PermissionsForm): Html {
  const shown = [...oncePerApp(form.apps).map(rowOf), ...form.customerApps.map(rowOfCustomers)]
  const rows = shown.map((app) => row(form, app))
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
