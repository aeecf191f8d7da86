import { html } from 'ghtml'
import { csrfField, type FormState, hidden, notice } from '#platform/pages/form.ts'
import { address, type Html, layout, type Menu, name, tile } from '#platform/pages/layout.ts'
import type { Reader } from '#platform/pages/reader.ts'
import { readableDate } from '#platform/pages/times.ts'
import type { AllowedApp, CustomerApp } from '../queries.ts'
import { knownScopes } from '../scopes.facts.ts'
import { scopeTitles } from '../views.ts'

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

function rowOf(reader: Reader, app: AllowedApp): Row {
  const { t } = reader
  const who = { email: address(app.user_email), date: readableDate(reader, app.created_at) }
  return {
    appId: app.app_id,
    appName: app.name,
    uses: scopeTitles(t, knownScopes(app.scopes)),
    allowed: t('account.apps.allowed', who),
    after: t('account.apps.stops'),
  }
}

/** An app that customers have let in, each for themselves. */
function rowOfCustomers(reader: Reader, { app_id, name: appName, customers, created_at }: CustomerApp): Row {
  const { t } = reader
  return {
    appId: app_id,
    appName,
    uses: t('account.scope_texts.player'),
    allowed: t('account.apps.allowed_by_customers', { count: customers, date: readableDate(reader, created_at) }),
    after: t('account.apps.stops_for_customers'),
  }
}

function row({ t }: Reader, form: PermissionsForm, app: Row): Html {
  return html`<li><div class="row app">!${tile(app.appName)}<div class="grow"><strong>!${name(app.appName)}</strong>
<p>${app.uses}</p>
<p class="faint">!${app.allowed}</p></div></div>
<details class="ask"><summary class="button quiet small"><span class="unasked">${t('account.apps.remove')}<span class="unseen"> ${app.appName}</span></span><span class="asked">${t('account.apps.keep')}</span></summary>
<form method="post" action="/account/apps">!${csrfField(form)}!${hidden('app', String(app.appId))}
<p>${app.after}</p>
<button class="danger small">!${t('account.apps.remove_app', { app: name(app.appName) })}</button></form></details></li>`
}

export function permissionsPage(reader: Reader, menu: Menu, form: PermissionsForm): Html {
  const { t } = reader
  const title = t('account.apps.title')
  const shown = [
    ...oncePerApp(form.apps).map((app) => rowOf(reader, app)),
    ...form.customerApps.map((app) => rowOfCustomers(reader, app)),
  ]
  const rows = shown.map((app) => row(reader, form, app))
  const list =
    rows.length === 0
      ? html`<h2>${t('account.apps.none')}</h2><p class="faint">${t('account.apps.none_text')}</p>`
      : html`<ul class="rows">!${rows.join('')}</ul>`
  return layout({
    t,
    title,
    navigation: { menu, current: '/account/apps' },
    main: html`<h1>${title}</h1>
<p class="lead">${t('account.apps.text')}</p>
!${notice(form.told)}
<section class="card">!${list}</section>`,
  })
}
