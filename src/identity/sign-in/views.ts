import { html } from 'ghtml'
import {
  alarm,
  checkbox,
  csrfField,
  type Field,
  type FormState,
  fields,
  groupedFields,
  hidden,
  notice,
} from '#platform/pages/form.ts'
import { type Html, layout, name } from '#platform/pages/layout.ts'

const EMAIL = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' } as const
const PASSWORD_MIN = 8
const PASSWORD = { type: 'password', autocomplete: 'new-password', lengthMin: PASSWORD_MIN } as const

/** A new password is typed twice, because it is hidden while it is typed. */
export const NEW_PASSWORD: readonly Field[] = [
  { ...PASSWORD, name: 'password', label: 'New password', hint: '8 to 64 characters. A few words make a good one.' },
  { ...PASSWORD, name: 'password_confirmation', label: 'New password again' },
]

export type SignInForm = FormState & { email: string; returnTo: string; told?: string | undefined }

export function signInPage(form: SignInForm): Html {
  const isNew = form.email === ''
  return layout({
    title: 'Sign in',
    form,
    main: html`<div class="card"><h1>Sign in</h1>
!${notice(form.told)}!${alarm(form)}
<form method="post" action="/sign-in">
!${csrfField(form)}!${hidden('return_to', form.returnTo)}
!${fields(
      [
        { ...EMAIL, value: form.email, first: isNew },
        { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', first: !isNew },
      ],
      form,
    )}
<button class="full">Sign in</button>
</form>
<p class="links"><a href="/reset">Forgot your password?</a></p></div>`,
  })
}

export type SecondFactorForm = FormState & { returnTo: string; withRecoveryCode?: boolean }

export function secondFactorPage(form: SecondFactorForm): Html {
  const { withRecoveryCode = false } = form
  const code = { name: 'code', label: 'Six-digit code', autocomplete: 'one-time-code', numeric: true } as const
  const recovery = { name: 'code', id: 'recovery_code', label: 'Recovery code', autocomplete: 'off' } as const
  const start = html`<form method="post" action="/sign-in/second-factor">
!${csrfField(form)}!${hidden('return_to', form.returnTo)}`
  return layout({
    title: 'Enter your code',
    form,
    main: html`<div class="card"><h1>Enter your code</h1>
<p>Open your authenticator app and type the six digits that it shows for Licet.</p>
!${alarm(form)}
!${start}
!${fields([{ ...code, first: !withRecoveryCode }], form)}
<button class="full">Sign in</button>
</form>
<details!${withRecoveryCode ? ' open' : ''}><summary>Use a recovery code instead</summary>
!${start}!${hidden('kind', 'recovery')}
!${fields([{ ...recovery, first: withRecoveryCode, hint: 'One of the codes that you kept. Each works once.' }], form)}
<button class="quiet full">Sign in with the recovery code</button>
</form></details>
<p class="links"><a href="/sign-in">Start over</a></p></div>`,
  })
}

export function resetAskPage(form: FormState & { email: string }): Html {
  return layout({
    title: 'Reset your password',
    form,
    main: html`<div class="card"><h1>Reset your password</h1>
<p>Type the e-mail address that you sign in with, to ask for a link with which you choose a new password.</p>
!${alarm(form)}
<form method="post" action="/reset">
!${csrfField(form)}
!${fields([{ ...EMAIL, value: form.email, first: true }], form)}
<button class="full">Send the link</button>
</form>
<p class="links"><a href="/sign-in">Back to sign-in</a></p></div>`,
  })
}

export function resetAskedPage(email: string): Html {
  return layout({
    title: 'Check your e-mail',
    main: html`<div class="card"><h1>Check your e-mail</h1>
<p>If <strong>!${name(email)}</strong> has an account, it gets a link as soon as mail can be delivered. The link works once, within an hour.</p>
<p class="faint">Nothing there after a few minutes? Look in your spam folder, <a href="/reset">try another address</a>, or ask the person who runs this service.</p>
<p class="links"><a href="/sign-in">Back to sign-in</a></p></div>`,
  })
}

export function resetPage(form: FormState & { token: string; endsApps: boolean }): Html {
  return layout({
    title: 'Choose a new password',
    form,
    main: html`<div class="card"><h1>Choose a new password</h1>
<p>You will be signed out everywhere else.</p>
!${alarm(form)}
<form method="post" action="/reset/${form.token}">
!${csrfField(form)}
!${fields(NEW_PASSWORD, form)}
!${checkbox({
      name: 'end_apps',
      label: 'Remove the apps that I allowed, too',
      hint: 'Do this if somebody else may have used your account. Each app has to be allowed again.',
      isChecked: form.endsApps,
    })}
<button class="full">Save the new password</button>
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

function nameFields(form: FormState & { firstName: string; lastName: string }): Field[] {
  return [
    { name: 'first_name', label: 'First name', value: form.firstName, autocomplete: 'given-name', half: true },
    { name: 'last_name', label: 'Last name', value: form.lastName, autocomplete: 'family-name', half: true },
  ]
}

export function invitationPage(form: InvitationForm): Html {
  return layout({
    title: `Join ${form.companyName}`,
    form,
    main: html`<div class="card"><h1>Join !${name(form.companyName)}</h1>
<p>You are invited to run this shop together with others. Choose a password, and you are in.</p>
!${alarm(form)}
<form method="post" action="/invitation/${form.token}">
!${csrfField(form)}
!${fields(
      [
        { ...EMAIL, name: 'username', value: form.email, readonly: true, hint: 'You sign in with it.' },
        ...nameFields(form),
        ...NEW_PASSWORD,
      ],
      form,
    )}
<button class="full">Accept the invitation</button>
</form></div>`,
  })
}

/** An address has one account, so its owner needs another address to join a second company. */
export function addressInUsePage({ email, companyName }: { email: string; companyName: string }): Html {
  return layout({
    title: 'You have an account already',
    main: html`<div class="card"><h1>You have an account already</h1>
<p><strong>!${name(email)}</strong> runs another company here, and an e-mail address can be used for one company only.</p>
<p>To join !${name(companyName)}, ask for an invitation to another address of yours.</p>
<a class="button full" href="/sign-in">Sign in</a></div>`,
  })
}

const VOID = {
  invitation: {
    next: 'Have you accepted the invitation already? Then sign in. If not, ask the person who invited you for a new one.',
    link: '<a class="button full" href="/sign-in">Sign in</a>',
  },
  reset: {
    next: 'A link works once, within an hour. Ask for a new one, and use the latest that you get.',
    link: '<a class="button full" href="/reset">Ask for a new link</a>',
  },
  'first run': {
    next: 'Is the shop set up already? Then sign in. If not, start the service again: it prints a new link.',
    link: '<a class="button full" href="/sign-in">Sign in</a>',
  },
}

/** For a link that was used, has ended, or never existed: the page does not tell which. */
export function voidLinkPage(what: keyof typeof VOID): Html {
  const { next, link } = VOID[what]
  return layout({
    title: 'This link no longer works',
    main: html`<div class="card"><h1>This link no longer works</h1><p>${next}</p>!${link}</div>`,
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
  const options = form.countries.map(({ code, name }) => ({ value: code, text: name }))
  const company: Field[] = [
    { name: 'company_name', label: 'Name', value: form.companyName, autocomplete: 'organization' },
    { name: 'country', label: 'Country', value: form.country, autocomplete: 'country', options },
  ]
  const email = { ...EMAIL, value: form.email, hint: 'You sign in with it.' }
  const person = [...nameFields(form), email, ...NEW_PASSWORD]
  return layout({
    title: 'Set up your shop',
    form,
    main: html`<div class="card"><h1>Set up your shop</h1>
<p>Two minutes, and the shop is yours. Everything here can be changed later.</p>
!${alarm(form)}
<form method="post" action="/first-run/${form.token}">
!${csrfField(form)}
!${groupedFields(
      [
        { legend: 'Your company', list: company },
        { legend: 'Your account', list: person },
      ],
      form,
    )}
<button class="full">Open the shop</button>
</form></div>`,
  })
}

export function notSetUpPage(): Html {
  return layout({
    title: 'Not set up yet',
    main: html`<div class="card"><h1>Not set up yet</h1>
<p>There is no shop here yet. If you run this service, open the link that it printed when it started: it leads to the page that sets up your shop.</p></div>`,
  })
}
