import { html } from 'ghtml'
import { alarm, type FormState, field, type Html, hidden, layout, notice, proof } from '#platform/pages/layout.ts'

const EMAIL = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' } as const
const PASSWORD_HINT = '8 to 64 characters. A few words in a row are easy to remember and hard to guess.'

/** Two fields for a password that nobody can see while it is typed. */
export function newPasswordFields(form: FormState): Html {
  const first = { name: 'password', label: 'New password', hint: PASSWORD_HINT }
  const again = { name: 'password_confirmation', label: 'New password again' }
  return [first, again]
    .map((each) => field({ ...each, type: 'password', autocomplete: 'new-password' }, form))
    .join('\n')
}

export type SignInForm = FormState & { email: string; returnTo: string; told?: string }

export function signInPage(form: SignInForm): Html {
  return layout({
    title: 'Sign in',
    main: html`<div class="card"><h1>Sign in</h1>
!${notice(form.told)}!${alarm(form.alarm)}
<form method="post" action="/sign-in">
!${proof(form)}!${hidden('return_to', form.returnTo)}
!${field({ ...EMAIL, value: form.email }, form)}
!${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }, form)}
<button class="full">Sign in</button>
</form>
<p class="links"><a href="/reset">Forgot your password?</a></p></div>`,
  })
}

export function secondFactorPage(form: FormState & { returnTo: string }): Html {
  return layout({
    title: 'Second step',
    main: html`<div class="card"><h1>Second step</h1>
<p>Open your authenticator app and type the six digits that it shows for Licet.</p>
!${alarm(form.alarm)}
<form method="post" action="/sign-in/second-factor">
!${proof(form)}!${hidden('return_to', form.returnTo)}
!${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', hint: 'Without your device, type one of your recovery codes.' }, form)}
<button class="full">Go on</button>
</form>
<p class="links"><a href="/sign-in">Start over</a></p></div>`,
  })
}

export function resetAskPage(form: FormState & { email: string }): Html {
  return layout({
    title: 'Reset your password',
    main: html`<div class="card"><h1>Reset your password</h1>
<p>Tell us the e-mail address that you sign in with. We send you a link with which you set a new password.</p>
!${alarm(form.alarm)}
<form method="post" action="/reset">
!${proof(form)}
!${field({ ...EMAIL, value: form.email }, form)}
<button class="full">Send the link</button>
</form>
<p class="links"><a href="/sign-in">Back to sign-in</a></p></div>`,
  })
}

export function resetAskedPage(email: string): Html {
  return layout({
    title: 'Look into your mail',
    main: html`<div class="card"><h1>Look into your mail</h1>
<p>If there is an account with the address <strong>${email}</strong>, a mail is on its way there. Its link works once, within an hour.</p>
<p class="faint">Nothing came? Look into the folder for unwanted mail, and see whether the address is the one that you sign in with.</p>
<p class="links"><a href="/sign-in">Back to sign-in</a></p></div>`,
  })
}

export function resetPage(form: FormState & { token: string }): Html {
  return layout({
    title: 'Set a new password',
    main: html`<div class="card"><h1>Set a new password</h1>
<p>Whoever is signed in with the old password is signed out.</p>
!${alarm(form.alarm)}
<form method="post" action="/reset/${form.token}">
!${proof(form)}
!${newPasswordFields(form)}
<button class="full">Set the password</button>
</form></div>`,
  })
}

export type InvitationForm = FormState & {
  token: string
  companyName: string
  email: string
  firstName: string
  lastName: string
}

function nameFields(form: FormState & { firstName: string; lastName: string }): Html {
  const first = { name: 'first_name', label: 'First name', value: form.firstName, autocomplete: 'given-name' }
  const last = { name: 'last_name', label: 'Last name', value: form.lastName, autocomplete: 'family-name' }
  return `${field(first, form)}\n${field(last, form)}`
}

export function invitationPage(form: InvitationForm): Html {
  return layout({
    title: 'Accept the invitation',
    main: html`<div class="card"><h1>Welcome to ${form.companyName}</h1>
<p>You were invited to work in its shop. Your account is <strong>${form.email}</strong>: choose a password for it.</p>
!${alarm(form.alarm)}
<form method="post" action="/invitation/${form.token}">
!${proof(form)}!${hidden('username', form.email)}
!${nameFields(form)}
!${newPasswordFields(form)}
<button class="full">Accept the invitation</button>
</form></div>`,
  })
}

/** For a link that was used, has ended, or never was: the three can't be told apart. */
export function voidLinkPage(what: 'invitation' | 'reset' | 'first run'): Html {
  const next = {
    invitation: 'Ask the person who invited you for a new one. If you have accepted it already, just sign in.',
    reset: 'Ask for a new one: it works once, within an hour.',
    'first run': 'If the shop was set up already, sign in. Otherwise start the service anew: it prints another link.',
  }[what]
  const link = what === 'reset' ? html`<a href="/reset">Ask for a new link</a>` : html`<a href="/sign-in">Sign in</a>`
  return layout({
    title: 'This link no longer works',
    main: html`<div class="card"><h1>This link no longer works</h1><p>${next}</p><p class="links">!${link}</p></div>`,
  })
}

export type FirstRunForm = FormState & {
  token: string
  companyName: string
  country: string
  email: string
  firstName: string
  lastName: string
  countries: { code: string; name: string }[]
}

export function firstRunPage(form: FirstRunForm): Html {
  const options = form.countries.map(
    ({ code, name }) => html`<option value="${code}"!${code === form.country ? ' selected' : ''}>${name}</option>`,
  )
  return layout({
    title: 'Set up your shop',
    main: html`<div class="card"><h1>Set up your shop</h1>
<p>Everything here can be changed later.</p>
!${alarm(form.alarm)}
<form method="post" action="/first-run/${form.token}">
!${proof(form)}
!${field({ name: 'company_name', label: 'Name of your company', value: form.companyName, autocomplete: 'organization' }, form)}
<div class="field"><label for="country">Country</label>
<select id="country" name="country" autocomplete="country">!${options.join('')}</select></div>
!${nameFields(form)}
!${field({ ...EMAIL, value: form.email, hint: 'You sign in with it.' }, form)}
!${newPasswordFields(form)}
<button class="full">Open the shop</button>
</form></div>`,
  })
}

export function notSetUpPage(): Html {
  return layout({
    title: 'Not set up yet',
    main: html`<div class="card"><h1>Not set up yet</h1>
<p>There is no company here yet. Open the link that the service printed when it started: it leads to the page that sets up your shop.</p></div>`,
  })
}
