import { html } from 'ghtml'
import { type FormState, type Html, hidden, layout, proof } from '#platform/pages/layout.ts'
import { SCOPES, type Scope } from './scopes.ts'

export type ConsentForm = FormState & {
  appName: string
  ownerName: string
  email: string
  companies: { id: number; company_name: string }[]
  scopes: Scope[]
  /** What the app asks for and this person can't give. */
  withheld: Scope[]
  redirectHost: string
  query: string
}

function companyChoice(companies: ConsentForm['companies']): Html {
  const [only] = companies
  if (companies.length === 1 && only !== undefined)
    return html`!${hidden('company', String(only.id))}<p>for your company <strong>${only.company_name}</strong></p>`
  const options = companies.map(
    ({ id, company_name }, index) =>
      html`<label class="choice"><input type="radio" name="company" value="${id}"!${
        index === 0 ? ' checked' : ''
      }> ${company_name}</label>`,
  )
  return html`<fieldset><legend>For which company?</legend>!${options.join('')}</fieldset>`
}

export function consentPage(form: ConsentForm): Html {
  const allows = form.scopes.map((scope) => html`<li>${SCOPES[scope]}</li>`)
  const withheld =
    form.withheld.length === 0
      ? ''
      : html`<p class="faint">It also asks for what your account can not give: ${form.withheld.join(', ')}.</p>`
  return layout({
    title: `Allow ${form.appName}`,
    main: html`<div class="card"><h1>Allow ${form.appName}?</h1>
<form method="post" action="/oauth2/auth?${form.query}">
!${proof(form)}
!${companyChoice(form.companies)}
<h2>${form.appName} will be able to</h2>
<ul class="allows">!${allows.join('')}</ul>
!${withheld}
<div class="side-by-side">
<button name="decision" value="deny" class="quiet">Deny</button>
<button name="decision" value="allow">Allow</button>
</div>
</form>
<p class="faint links">The app was registered by ${form.ownerName}. Afterwards you go on to ${form.redirectHost}. You can take the permission back at any time in your account.</p></div>
<div class="card"><form method="post" action="/sign-out">
!${proof(form)}
<p class="faint">You are signed in as ${form.email}.</p>
<button class="quiet small">Sign out</button>
</form></div>`,
  })
}

/** For somebody who can't give any of what is asked for. */
export function nothingToAllowPage({ appName, withheld }: { appName: string; withheld: Scope[] }): Html {
  return layout({
    title: 'Your account can not allow this',
    main: html`<div class="card"><h1>Your account can not allow this</h1>
<p><strong>${appName}</strong> asks for ${withheld.join(', ')}. That can be allowed only by somebody in your company who may invite users.</p></div>`,
  })
}
