import { html } from 'ghtml'
import { csrfField, type FormState, hidden } from '#platform/pages/form.ts'
import { address, type Html, layout, name, tile } from '#platform/pages/layout.ts'
import type { Reader } from '#platform/pages/reader.ts'
import type { Translator } from '#platform/text/messages.ts'
import type { Withheld } from './rules.ts'
import type { Scope } from './scopes.facts.ts'

/** The short names of scopes, in one line. */
export function scopeTitles(t: Translator, scopes: readonly Scope[]): string {
  return scopes.map((scope) => t(`account.scopes.${scope}`)).join(', ')
}

export type ConsentForm = FormState & {
  appName: string
  ownerName: string
  email: string
  companies: { id: number; company_name: string }[]
  scopes: Scope[]
  withheld: Withheld
  redirectHost: string
  query: string
}

/** A list longer than this gets a search field. */
const RADIOS_MAX = 6

function companyChoice(t: Translator, companies: ConsentForm['companies']): Html {
  const [only] = companies
  if (companies.length === 1 && only !== undefined) return hidden('company', String(only.id))
  if (companies.length > RADIOS_MAX) {
    const options = companies.map(({ id, company_name }) => html`<option value="${id}">${company_name}</option>`)
    return html`<div class="field"><label for="company">${t('account.consent.which_company')}</label>
<select id="company" name="company">!${options.join('')}</select></div>`
  }
  const options = companies.map(
    ({ id, company_name }, index) =>
      html`<label class="choice"><input type="radio" name="company" value="${id}"!${
        index === 0 ? ' checked' : ''
      }> !${name(company_name)}</label>`,
  )
  return html`<fieldset class="choices"><legend>${t('account.consent.which_company')}</legend>!${options.join('')}</fieldset>`
}

/** A native app has no host: its redirect URI uses a scheme of its own. */
function destination(t: Translator, redirectHost: string): Html {
  return redirectHost.endsWith(':')
    ? html`${t('account.consent.this_device', { scheme: redirectHost.slice(0, -1) })}`
    : html`${redirectHost}`
}

const fact = (what: string, said: Html) => html`<div><dt>${what}</dt><dd>!${said}</dd></div>`

export function consentPage({ t }: Reader, form: ConsentForm): Html {
  const { appName, ownerName, companies } = form
  const allows = form.scopes.map(
    (scope) =>
      html`<li><strong>${t(`account.scopes.${scope}`)}</strong><p class="faint">${t(`account.scope_texts.${scope}`)}</p></li>`,
  )
  const { unregistered, forManagers } = form.withheld
  const also = [
    ...(forManagers.length === 0
      ? []
      : [
          `${t('account.consent.also_forbidden', { scopes: scopeTitles(t, forManagers) })} ${t('account.consent.ask_manager')}`,
        ]),
    ...(unregistered.length === 0
      ? []
      : [t('account.consent.also_unregistered', { scopes: scopeTitles(t, unregistered) })]),
  ]
  const withheld = also.map((text) => html`<p class="faint">${text}</p>`).join('')
  return layout({
    t,
    title: t('account.consent.title', { app: appName }),
    main: html`<div class="card consent"><div class="row">!${tile(appName)}<div class="grow"><h1>!${t('account.consent.title', { app: name(appName) })}</h1>
<p class="faint">!${t('account.consent.maker', { company: name(ownerName) })}</p></div></div>
<dl class="facts">!${companies.length === 1 ? fact(t('account.consent.company'), name(companies[0]?.company_name ?? '')) : ''}
!${fact(t('account.consent.signed_in_as'), address(form.email))}
!${fact(t('account.consent.leads_to'), destination(t, form.redirectHost))}</dl>
<form method="post" action="/oauth2/auth?${form.query}">
!${csrfField(form)}
!${companyChoice(t, companies)}
<h2>${t('account.consent.may')}</h2>
<ul class="allows">!${allows.join('')}</ul>
!${withheld}
<div class="pair"><button name="decision" value="allow">${t('account.consent.allow')}</button>
<button name="decision" value="deny" class="quiet">${t('account.consent.deny')}</button></div>
</form>
<p class="faint after">${t('account.consent.take_back')}</p></div>
!${otherAccount(t, form, html`${t('account.consent.not_you')}`)}`,
  })
}

/** A link to sign in as another user and return to the same request. */
function otherAccount(t: Translator, form: Pick<FormState, 'csrf'> & { query: string }, words: Html): Html {
  return html`<form method="post" action="/sign-out" class="signed-in">
!${csrfField(form)}!${hidden('return_to', `/oauth2/auth?${form.query}`)}
<p>!${words}</p>
<button class="link">${t('account.consent.another')}</button>
</form>`
}

export type NothingToAllow = Pick<FormState, 'csrf'> & {
  appName: string
  email: string
  withheld: Withheld
  query: string
}

/** Shown if none of the requested scopes can be granted: nobody can, or another user has to. */
export function nothingToAllowPage({ t }: Reader, form: NothingToAllow): Html {
  const { unregistered, forManagers } = form.withheld
  const app = html`<strong>!${name(form.appName)}</strong>`
  const scopes = (asked: readonly Scope[]) => html`${scopeTitles(t, asked)}`
  const notRegistered = html`<p>!${t('account.consent.unregistered.text', { app, scopes: scopes(unregistered) })}</p>`
  if (forManagers.length === 0) {
    const title = t('account.consent.unregistered.title')
    return layout({ t, title, main: html`<div class="card"><h1>${title}</h1>\n!${notRegistered}</div>` })
  }
  const title = t('account.consent.cannot.title')
  return layout({
    t,
    title,
    main: html`<div class="card"><h1>${title}</h1>
<p>!${t('account.consent.cannot.text', { app, scopes: scopes(forManagers) })} ${t('account.consent.ask_manager')}</p>
!${unregistered.length === 0 ? '' : notRegistered}</div>
!${otherAccount(t, form, t('account.consent.you_are', { email: html`<strong>!${address(form.email)}</strong>` }))}`,
  })
}
