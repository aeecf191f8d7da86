import { html } from 'ghtml'
import { accountPage, readableTime } from '#platform/pages/account.ts'
import { alarm, type FormState, field, type Html, hidden, notice, proof } from '#platform/pages/layout.ts'
import { newPasswordFields } from '../views.ts'
import type { Owner } from './queries.ts'

const CURRENT_PASSWORD = {
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
} as const

export type AccountForm = FormState & {
  owner: Owner
  told?: string
  sessions: { browser: string; address: string; seen_at: Date; isThis: boolean }[]
}

export function overviewPage(form: AccountForm): Html {
  const { owner } = form
  const sessions = form.sessions.map(
    ({
      browser,
      address,
      seen_at,
      isThis,
    }) => html`<li><p><strong>${browser}</strong>!${isThis ? ' (this one)' : ''}<br>
<span class="faint">${address}, last seen ${readableTime(seen_at)}</span></p></li>`,
  )
  return accountPage({
    title: 'Account',
    current: '/account',
    main: html`<div class="card"><h1>${owner.name}</h1>
!${notice(form.told)}
<p>${owner.email}<br><span class="faint">${owner.company}</span></p>
<form method="post" action="/sign-out">!${proof(form)}<button class="quiet">Sign out</button></form></div>
<div class="card"><h2>Change your password</h2>
!${alarm(form.alarm)}
<form method="post" action="/account">!${proof(form)}!${hidden('change', 'password')}
!${field(CURRENT_PASSWORD, form)}
!${newPasswordFields(form)}
<button>Change the password</button>
</form></div>
<div class="card"><h2>Where you are signed in</h2>
<ul class="rows">!${sessions.join('')}</ul>
<form method="post" action="/account" class="links">!${proof(form)}!${hidden('change', 'sign out everywhere')}
<button class="quiet">Sign out everywhere</button></form></div>`,
  })
}

/** How it stands with a user's second factor, and what went wrong with the last change. */
export type SecondFactorStanding = Pick<FormState, 'mistakes' | 'alarm'> & { told?: string } & (
    | { kind: 'off' }
    | { kind: 'preparing'; qr: Html; secret: string }
    | { kind: 'codes'; codes: string[] }
    | { kind: 'on'; recoveryCodes: number }
  )

type SecondFactorForm = SecondFactorStanding & FormState

export function secondFactorSettingsPage(form: SecondFactorForm): Html {
  return accountPage({
    title: 'Second step',
    current: '/account/second-factor',
    main: html`<div class="card"><h1>Second step</h1>!${notice(form.told)}!${alarm(form.alarm)}!${settings(form)}</div>`,
  })
}

const action = (form: FormState, change: string) =>
  html`<form method="post" action="/account/second-factor">!${proof(form)}!${hidden('change', change)}`

function settings(form: SecondFactorForm): Html {
  if (form.kind === 'off')
    return html`<p>With a second step, your password alone opens nothing: signing in also asks for six digits that only your device knows. You need an authenticator app.</p>
!${action(form, 'prepare')}!${field(CURRENT_PASSWORD, form)}<button>Set it up</button></form>`
  if (form.kind === 'preparing')
    return html`<ol><li>Open your authenticator app and scan this picture.</li><li>Type the six digits that it shows.</li></ol>
<div class="qr" role="img" aria-label="The secret, as a picture for your authenticator app">!${form.qr}</div>
<p class="faint">If you can't scan it, type this into the app: <code>${form.secret}</code></p>
!${action(form, 'confirm')}
!${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', numeric: true }, form)}
<button>Turn it on</button></form>`
  if (form.kind === 'codes')
    return html`<p>The second step is on. Keep these recovery codes where you find them without your device: each lets you in once. They are shown this once.</p>
<ul class="codes">!${form.codes.map((code) => html`<li>${code}</li>`).join('')}</ul>
<p class="links"><a class="button" href="/account/second-factor">I have kept them</a></p>`
  return html`<p>The second step is on. You have <strong>${form.recoveryCodes}</strong> recovery codes left.</p>
!${action(form, 'turn off or renew')}!${field(CURRENT_PASSWORD, form)}
<div class="side-by-side"><button name="step" value="renew" class="quiet">New recovery codes</button>
<button name="step" value="off" class="quiet">Turn it off</button></div></form>`
}
