import { html } from 'ghtml'
import { alarm, checkbox, csrfField, type Field, type FormState, fields, hidden, notice } from '#platform/pages/form.ts'
import { type Html, layout, name } from '#platform/pages/layout.ts'
import type { Reader } from '#platform/pages/reader.ts'
import type { Translator } from '#platform/text/messages.ts'

export function emailField(t: Translator): Field {
  return { name: 'email', label: t('account.fields.email'), type: 'email', autocomplete: 'username' }
}

const PASSWORD_MIN = 8
export const PASSWORD = { type: 'password', autocomplete: 'new-password', lengthMin: PASSWORD_MIN } as const

/** A new password is typed twice, because it is hidden while it is typed. */
export function newPasswordFields(t: Translator): Field[] {
  const [label, hint] = [t('account.fields.new_password'), t('account.fields.new_password_hint')]
  return [
    { ...PASSWORD, name: 'password', label, hint },
    { ...PASSWORD, name: 'password_confirmation', label: t('account.fields.new_password_again') },
  ]
}

/** No message has a `<` or `&`, so that names can be inserted as HTML. */
const strong = (text: string) => html`<strong>!${name(text)}</strong>`

export type SignInForm = FormState & { email: string; returnTo: string; told?: string | undefined }

export function signInPage({ t }: Reader, form: SignInForm): Html {
  const title = t('account.sign_in.title')
  const isNew = form.email === ''
  const password: Field = {
    name: 'password',
    label: t('account.fields.password'),
    type: 'password',
    autocomplete: 'current-password',
    first: !isNew,
  }
  return layout({
    t,
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
!${notice(form.told)}!${alarm(t, form)}
<form method="post" action="/sign-in">
!${csrfField(form)}!${hidden('return_to', form.returnTo)}
!${fields(t, [{ ...emailField(t), value: form.email, first: isNew }, password], form)}
<button class="full">${t('account.sign_in.button')}</button>
</form>
<p class="links"><a href="/reset">${t('account.sign_in.forgotten')}</a></p></div>`,
  })
}

export function codeField(t: Translator): Field {
  return { name: 'code', label: t('account.fields.code'), autocomplete: 'one-time-code', numeric: true }
}

export type SecondFactorForm = FormState & { returnTo: string; withRecoveryCode?: boolean }

export function secondFactorPage({ t }: Reader, form: SecondFactorForm): Html {
  const title = t('account.second_step.title')
  const { withRecoveryCode = false } = form
  const recovery = {
    name: 'code',
    id: 'recovery_code',
    label: t('account.fields.recovery_code'),
    autocomplete: 'off',
    first: withRecoveryCode,
    hint: t('account.second_step.hint'),
  }
  const start = html`<form method="post" action="/sign-in/second-factor">
!${csrfField(form)}!${hidden('return_to', form.returnTo)}`
  return layout({
    t,
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
<p>${t('account.second_step.text')}</p>
!${alarm(t, form)}
!${start}
!${fields(t, [{ ...codeField(t), first: !withRecoveryCode }], form)}
<button class="full">${t('account.sign_in.button')}</button>
</form>
<details!${withRecoveryCode ? ' open' : ''}><summary>${t('account.second_step.instead')}</summary>
!${start}!${hidden('kind', 'recovery')}
!${fields(t, [recovery], form)}
<button class="quiet full">${t('account.second_step.button')}</button>
</form></details>
<p class="links"><a href="/sign-in">${t('account.second_step.start_over')}</a></p></div>`,
  })
}

export function resetAskPage({ t }: Reader, form: FormState & { email: string }): Html {
  const title = t('account.reset.title')
  return layout({
    t,
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
<p>${t('account.reset.text')}</p>
!${alarm(t, form)}
<form method="post" action="/reset">
!${csrfField(form)}
!${fields(t, [{ ...emailField(t), value: form.email, first: true }], form)}
<button class="full">${t('account.reset.button')}</button>
</form>
<p class="links"><a href="/sign-in">${t('account.reset.back')}</a></p></div>`,
  })
}

export function resetAskedPage({ t }: Reader, email: string): Html {
  const title = t('account.reset.asked.title')
  return layout({
    t,
    title,
    main: html`<div class="card"><h1>${title}</h1>
<p>!${t('account.reset.asked.text', { email: strong(email) })}</p>
<p class="faint">${t('account.reset.asked.hint')}</p>
<p class="links"><a href="/reset">${t('account.reset.asked.another')}</a></p>
<p class="links"><a href="/sign-in">${t('account.reset.back')}</a></p></div>`,
  })
}

export function resetPage({ t }: Reader, form: FormState & { token: string; endsApps: boolean }): Html {
  const title = t('account.reset.choose.title')
  return layout({
    t,
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
<p>${t('account.reset.choose.text')}</p>
!${alarm(t, form)}
<form method="post" action="/reset/${form.token}">
!${csrfField(form)}
!${fields(t, newPasswordFields(t), form)}
!${checkbox({
      name: 'end_apps',
      label: t('account.reset.choose.end_apps'),
      hint: t('account.reset.choose.end_apps_hint'),
      isChecked: form.endsApps,
    })}
<button class="full">${t('account.reset.choose.button')}</button>
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

function nameFields(t: Translator, form: FormState & { firstName: string; lastName: string }): Field[] {
  const [first, last] = [t('account.fields.first_name'), t('account.fields.last_name')]
  return [
    { name: 'first_name', label: first, value: form.firstName, autocomplete: 'given-name', half: true },
    { name: 'last_name', label: last, value: form.lastName, autocomplete: 'family-name', half: true },
  ]
}

export function invitationPage({ t }: Reader, form: InvitationForm): Html {
  const hint = t('account.fields.email_hint')
  const email: Field = { ...emailField(t), name: 'username', value: form.email, readonly: true, hint }
  return layout({
    t,
    title: t('account.invitation.title', { company: form.companyName }),
    form,
    main: html`<div class="card"><h1>!${t('account.invitation.title', { company: name(form.companyName) })}</h1>
<p>${t('account.invitation.text')}</p>
!${alarm(t, form)}
<form method="post" action="/invitation/${form.token}">
!${csrfField(form)}
!${fields(t, [email, ...nameFields(t, form), ...newPasswordFields(t)], form)}
<button class="full">${t('account.invitation.button')}</button>
</form></div>`,
  })
}

/** An address has one account, so its owner needs another address to join a second company. */
export function addressInUsePage(
  { t }: Reader,
  { email, companyName }: Pick<InvitationForm, 'email' | 'companyName'>,
): Html {
  const title = t('account.invitation.in_use.title')
  return layout({
    t,
    title,
    main: html`<div class="card"><h1>${title}</h1>
<p>!${t('account.invitation.in_use.text', { email: strong(email) })}</p>
<p>!${t('account.invitation.in_use.next', { company: name(companyName) })}</p>
<a class="button full" href="/sign-in">${t('account.sign_in.button')}</a></div>`,
  })
}

export type VoidLink = 'invitation' | 'reset' | 'first_run' | 'demo'

/** For a link that was used, has ended, or never existed: the page does not tell which. */
export function voidLinkPage({ t }: Reader, what: VoidLink): Html {
  const title = t('account.void.title')
  const link =
    what === 'reset'
      ? html`<a class="button full" href="/reset">${t('account.void.ask_again')}</a>`
      : html`<a class="button full" href="/sign-in">${t('account.sign_in.button')}</a>`
  const main = html`<div class="card"><h1>${title}</h1><p>${t(`account.void.${what}`)}</p>!${link}</div>`
  return layout({ t, title, main })
}

export function demoPage({ t }: Reader, form: FormState & { token: string }): Html {
  const title = t('account.demo.title')
  const main = html`<div class="card"><h1>${title}</h1><p>${t('account.demo.text')}</p>
<form method="post" action="/demo/${form.token}">!${csrfField(form)}
<button class="button full">${t('account.demo.button')}</button></form></div>`
  return layout({ t, title, form, main })
}
