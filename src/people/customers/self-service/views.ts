import { html } from 'ghtml'
import { NEW_PASSWORD } from '#identity/sign-in/views.ts'
import { alarm, csrfField, type FormState, fields, hiddenUsername } from '#platform/pages/form.ts'
import { address, type Html, layout, name } from '#platform/pages/layout.ts'
import { asksForPassword, type OpenLink } from '../links/rules.ts'

/** The request of a link, with the texts around the form. */
type Words = { title: string; asked: Html; next: Html; label: string; ifNot: string }

const STAYS = 'Not what you want? Then close this page: your account stays as it is.'

function wordsFor(link: OpenLink): Words {
  const company = html`<strong>!${name(link.companyName)}</strong>`
  const present = html`<strong>!${address(link.email)}</strong>`
  if (link.kind === 'password') {
    return {
      title: 'Choose a new password',
      asked: html`<p>!${company} asks you to choose a new password for your customer account !${present}.</p>`,
      next: html`<p>It counts at once, in every shop where you use this account.</p>`,
      label: 'Save the new password',
      ifNot: STAYS,
    }
  }
  const later = html`<strong>!${address(link.newEmail)}</strong>`
  const move = html`to change the e-mail address of your customer account from !${present} to !${later}`
  const proven = html`<p>The new address gets a link. The change counts when you have confirmed it there.</p>`
  if (link.kind === 'email') {
    return {
      title: 'Change your e-mail address',
      asked: html`<p>!${company} asks !${move}.</p>`,
      next: html`!${proven}<p>From then on you sign in with it, in every shop where you use this account.</p>`,
      label: 'Send a link to the new address',
      ifNot: STAYS,
    }
  }
  if (link.kind === 'both') {
    return {
      title: 'Change your account',
      asked: html`<p>!${company} asks !${move}, and you to choose a new password.</p>`,
      next: html`!${proven}<p>The password counts at once, in every shop where you use this account.</p>`,
      label: 'Save the password and send the link',
      ifNot: STAYS,
    }
  }
  return {
    title: 'Confirm your new e-mail address',
    asked: html`<p>!${later} is to be the address of your customer account at !${company}.</p>`,
    next: html`<p>From then on it is what you sign in with, in every shop where you use this account.</p>`,
    label: 'This is my address',
    ifNot: 'You know nothing of this? Then close this page: the address is not used.',
  }
}

export type LinkForm = FormState & { token: string; link: OpenLink }

export function linkPage(form: LinkForm): Html {
  const { link, token } = form
  const { title, asked, next, label, ifNot } = wordsFor(link)
  const password = asksForPassword(link) ? html`!${hiddenUsername(link.email)}!${fields(NEW_PASSWORD, form)}` : ''
  return layout({
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
!${asked}
!${next}
!${alarm(form)}
<form method="post" action="/customer/${token}">
!${csrfField(form)}
!${password}
<button class="full">${label}</button>
</form>
<p class="faint after">${ifNot}</p></div>`,
  })
}

function messagePage(title: string, message: Html): Html {
  return layout({ title, main: html`<div class="card"><h1>${title}</h1>!${message}</div>` })
}

/** The changes that were made, and the step that is left. */
export function donePage(link: OpenLink): Html {
  if (link.kind === 'password')
    return messagePage(
      'Your new password is saved',
      html`<p>Use it from now on wherever you sign in with !${address(link.email)}.</p>`,
    )
  const later = html`<strong>!${address(link.newEmail)}</strong>`
  if (link.kind === 'proof')
    return messagePage(
      'Your e-mail address is changed',
      html`<p>From now on sign in with !${later}, in every shop where you use this account.</p>`,
    )
  const saved = link.kind === 'both' ? html`<p>Your new password is saved, and counts from now on.</p>` : ''
  return messagePage(
    'Check your e-mail',
    html`!${saved}<p>!${later} gets a link as soon as mail can be delivered. The link works once, within a day. Until you have confirmed it there, your e-mail address stays as it is.</p>
<p class="faint">Nothing there after a few minutes? Look in your spam folder, or ask !${name(link.companyName)}.</p>`,
  )
}

/** The address is taken, and the page does not say by whom. */
export function takenPage({ newEmail, companyName }: OpenLink): Html {
  return messagePage(
    'This address is taken',
    html`<p>Another customer account has the address <strong>!${address(newEmail ?? '')}</strong> by now, so yours stays as it is.</p>
<p>If that account is yours too, sign in with it. If not, ask !${name(companyName)} for a link to another address.</p>`,
  )
}

/** For a link that was used, has ended, or never existed: the page does not tell which. */
export function voidPage(): Html {
  return messagePage(
    'This link no longer works',
    html`<p>A link works once, within a day, and ends when the account has changed or the next one is sent.</p>
<p>Is there still something to do? Use the latest link that you got, or ask the shop for a new one.</p>`,
  )
}
