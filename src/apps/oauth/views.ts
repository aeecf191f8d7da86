import { html } from 'ghtml'
import { csrfField, type FormState, hidden } from '#platform/pages/form.ts'
import { address, type Html, layout, name, tile } from '#platform/pages/layout.ts'
import type { Withheld } from './rules.ts'
import { SCOPES, type Scope } from './scopes.facts.ts'

/** A short name for each scope. */
export const SCOPE_TITLES: Record<Scope, string> = {
  products: 'Products',
  customers: 'Customers',
  orders: 'Orders',
  themes: 'Themes',
  files: 'Files',
  companies: 'Company data',
  users: 'Users',
  statistics: 'Statistics',
  player: 'Player',
  webhooks: 'Webhooks',
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

function companyChoice(companies: ConsentForm['companies']): Html {
  const [only] = companies
  if (companies.length === 1 && only !== undefined) return hidden('company', String(only.id))
  if (companies.length > RADIOS_MAX) {
    const options = companies.map(({ id, company_name }) => html`<option value="${id}">${company_name}</option>`)
    return html`<div class="field"><label for="company">For which company?</label>
<select id="company" name="company">!${options.join('')}</select></div>`
  }
  const options = companies.map(
    ({ id, company_name }, index) =>
      html`<label class="choice"><input type="radio" name="company" value="${id}"!${
        index === 0 ? ' checked' : ''
      }> !${name(company_name)}</label>`,
  )
  return html`<fieldset class="choices"><legend>For which company?</legend>!${options.join('')}</fieldset>`
}

const inWords = (scopes: Scope[]) => scopes.map((scope) => SCOPE_TITLES[scope].toLowerCase()).join(', ')

/** A native app has no host: its redirect URI uses a scheme of its own. */
function destination(redirectHost: string): Html {
  return redirectHost.endsWith(':')
    ? html`the app on this device (${redirectHost.slice(0, -1)})`
    : html`${redirectHost}`
}

const fact = (what: string, said: Html) => html`<div><dt>${what}</dt><dd>!${said}</dd></div>`

export function consentPage(form: ConsentForm): Html {
  const { appName, ownerName, companies } = form
  const allows = form.scopes.map(
    (scope) => html`<li><strong>${SCOPE_TITLES[scope]}</strong><p class="faint">${SCOPES[scope]}</p></li>`,
  )
  const { unregistered, forManagers } = form.withheld
  const also = [
    ...(forManagers.length === 0
      ? []
      : [`It also asks for ${inWords(forManagers)}. Your account cannot allow that. ${ASK_MANAGER}`]),
    ...(unregistered.length === 0
      ? []
      : [`It also asks for ${inWords(unregistered)}. It is not registered for that here, so it is left out.`]),
  ]
  const withheld = also.map((text) => html`<p class="faint">${text}</p>`).join('')
  return layout({
    title: `Allow ${appName}?`,
    main: html`<div class="card consent"><div class="row">!${tile(appName)}<div class="grow"><h1>Allow !${name(appName)}?</h1>
<p class="faint">Made by !${name(ownerName)}</p></div></div>
<dl class="facts">!${companies.length === 1 ? fact('Your company', name(companies[0]?.company_name ?? '')) : ''}
!${fact('Signed in as', address(form.email))}
!${fact('Leads back to', destination(form.redirectHost))}</dl>
<form method="post" action="/oauth2/auth?${form.query}">
!${csrfField(form)}
!${companyChoice(companies)}
<h2>What it may do</h2>
<ul class="allows">!${allows.join('')}</ul>
!${withheld}
<div class="pair"><button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="quiet">Don’t allow</button></div>
</form>
<p class="faint after">You can take this back at any time, under Apps in your account.</p></div>
!${otherAccount(form, 'Not you?')}`,
  })
}

/** A link to sign in as another user and return to the same request. */
function otherAccount(form: Pick<FormState, 'csrf'> & { query: string }, words: Html): Html {
  return html`<form method="post" action="/sign-out" class="signed-in">
!${csrfField(form)}!${hidden('return_to', `/oauth2/auth?${form.query}`)}
<p>!${words}</p>
<button class="link">Use another account</button>
</form>`
}

export type NothingToAllow = Pick<FormState, 'csrf'> & {
  appName: string
  email: string
  withheld: Withheld
  query: string
}

const ASK_MANAGER = 'Ask somebody in your company who may invite users to do it.'

/** Shown if none of the requested scopes can be granted: nobody can, or another user has to. */
export function nothingToAllowPage(form: NothingToAllow): Html {
  const { unregistered, forManagers } = form.withheld
  const app = html`<strong>!${name(form.appName)}</strong>`
  const notRegistered = html`<p>!${app} asks for ${inWords(unregistered)}, but it is not registered for that here, so nobody can allow it. Tell the maker of the app. The operator of this service can add it to the registration of the app.</p>`
  if (forManagers.length === 0)
    return layout({
      title: 'This app is not registered for this',
      main: html`<div class="card"><h1>This app is not registered for this</h1>
!${notRegistered}</div>`,
    })
  return layout({
    title: 'Your account cannot allow this',
    main: html`<div class="card"><h1>Your account cannot allow this</h1>
<p>!${app} asks for ${inWords(forManagers)}. ${ASK_MANAGER}</p>
!${unregistered.length === 0 ? '' : notRegistered}</div>
!${otherAccount(form, html`You are signed in as <strong>!${address(form.email)}</strong>.`)}`,
  })
}
