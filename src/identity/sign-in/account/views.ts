import { html } from 'ghtml'
import { alarm, csrfField, type FormState, fields, hidden, hiddenUsername, notice } from '#platform/pages/form.ts'
import { address, type Html, layout, type Menu, name, tile } from '#platform/pages/layout.ts'
import { readableTime } from '#platform/pages/times.ts'
import { NEW_PASSWORD } from '../views.ts'
import type { Owner } from './queries.ts'

const CURRENT_PASSWORD = {
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
} as const

export type AccountForm = FormState & {
  owner: Owner
  told?: string | undefined
  sessions: { browser: string; address: string; seen_at: Date; isThis: boolean }[]
}

export function overviewPage(menu: Menu, form: AccountForm): Html {
  const { owner } = form
  const sessions = form.sessions.map(
    ({ browser, address: from, seen_at, isThis }) => html`<li><div><strong>${browser}</strong>!${
      isThis ? ' <span class="badge">This browser</span>' : ''
    }
<p class="faint">Last seen !${readableTime(seen_at)} from ${from}</p></div></li>`,
  )
  return layout({
    title: 'Account',
    navigation: { menu, current: '/account' },
    form,
    main: html`<h1>Your account</h1>
!${notice(form.told)}
<section class="card row">!${tile(owner.name)}<div class="grow"><h2>!${name(owner.name)}</h2>
<p class="faint">!${owner.name === owner.email ? '' : html`!${address(owner.email)}<br>`}!${name(owner.company)}</p></div>
<form method="post" action="/sign-out">!${csrfField(form)}<button class="quiet">Sign out</button></form></section>
<section class="card"><h2>Change your password</h2>
!${alarm(form)}
<form method="post" action="/account" class="measure">!${csrfField(form)}!${hidden('change', 'password')}!${hiddenUsername(owner.email)}
!${fields([CURRENT_PASSWORD, ...NEW_PASSWORD], form)}
<button>Change the password</button>
</form></section>
<section class="card"><h2>Where you are signed in</h2>
<ul class="rows">!${sessions.join('')}</ul>
<form method="post" action="/account" class="after">!${csrfField(form)}!${hidden('change', 'sign out everywhere')}
<button class="quiet">Sign out everywhere</button></form></section>`,
  })
}

/** The state of a user's second factor, and the errors of the last change. */
export type SecondFactorState = Pick<FormState, 'mistakes' | 'alarm'> & { told?: string } & (
    | { kind: 'off' }
    | { kind: 'preparing'; qr: Html; secret: string }
    | { kind: 'codes'; codes: string[] }
    | { kind: 'on'; recoveryCodes: number }
  )

type SecondFactorForm = SecondFactorState & FormState

export function secondFactorSettingsPage(menu: Menu, form: SecondFactorForm): Html {
  return layout({
    title: 'Two-step sign-in',
    navigation: { menu, current: '/account/second-factor' },
    form,
    main: html`<h1>Two-step sign-in</h1>
!${notice(form.told)}
<section class="card">!${settings(form)}</section>`,
  })
}

const action = (form: FormState, change: string) =>
  html`<form method="post" action="/account/second-factor" class="measure">!${csrfField(form)}!${hidden('change', change)}`

function settings(form: SecondFactorForm): Html {
  if (form.kind === 'preparing') return preparing(form, form)
  if (form.kind === 'codes') return recoveryCodes(form.codes)
  if (form.kind === 'off')
    return html`<h2>It is off <span class="badge">Password only</span></h2>
<p>Turn it on, and your password alone lets nobody in: signing in also asks for six digits from an authenticator app on your phone or computer.</p>
!${alarm(form)}
!${action(form, 'prepare')}!${fields([CURRENT_PASSWORD], form)}<button>Set it up</button></form>`
  const left = form.recoveryCodes === 1 ? 'recovery code' : 'recovery codes'
  return html`<h2>It is on <span class="badge good">Password and code</span></h2>
<p>Signing in asks for your password and for a code from your authenticator app. You have <strong>${form.recoveryCodes} ${left}</strong> left, in case you are ever without it.</p>
!${alarm(form)}
!${action(form, 'turn off or renew')}!${fields([{ ...CURRENT_PASSWORD, hint: 'Both of these changes ask for it.' }], form)}
<div class="buttons"><button name="step" value="renew" class="quiet">Get new recovery codes</button>
<button name="step" value="off" class="quiet danger">Turn it off</button></div></form>`
}

function preparing(form: SecondFactorForm, { qr, secret }: { qr: Html; secret: string }): Html {
  const inFours = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return html`<h2>1. Add Licet to your authenticator app</h2>
<p>Scan this picture with the app.</p>
<div class="qr" role="img" aria-label="QR code for your authenticator app; the key below says the same">!${qr}</div>
<p class="faint">If you can't scan it, type this key into the app: <code class="key">${inFours}</code></p>
<h2>2. Type the code that the app shows</h2>
!${alarm(form)}
!${action(form, 'confirm')}
!${fields([{ name: 'code', label: 'Six-digit code', autocomplete: 'one-time-code', numeric: true }], form)}
<button>Turn it on</button></form>`
}

/** Recovery codes are shown once, and can be saved, printed or copied without any script. */
function recoveryCodes(codes: string[]): Html {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes for Licet. Each works once.\n\n${codes.join('\n')}\n`)}`
  return html`<h2>It is on. Now keep these recovery codes</h2>
<p>Each of them lets you in once, should you ever be without your authenticator app. They are shown only now.</p>
<ul class="codes">!${codes.map((code) => html`<li>${code}</li>`).join('')}</ul>
<div class="buttons"><a class="button" href="/account/second-factor">I have kept them</a>
<a class="button quiet" download="licet-recovery-codes.txt" href="${file}">Save as a file</a></div>`
}
