import { html } from 'ghtml'
import { newPasswordFields } from '#identity/sign-in/views.ts'
import { alarm, csrfField, type FormState, fields, hiddenUsername } from '#platform/pages/form.ts'
import { address, type Html, layout, name } from '#platform/pages/layout.ts'
import type { Translator } from '#platform/text/messages.ts'
import { asksForPassword, type OpenLink } from '../links/rules.ts'

/** The names in the messages. No message has a `<` or `&`, so that these can be inserted as HTML. */
function namesOf({ companyName, email, newEmail }: OpenLink) {
  return {
    company: html`<strong>!${name(companyName)}</strong>`,
    email: html`<strong>!${address(email)}</strong>`,
    new_email: html`<strong>!${address(newEmail ?? '')}</strong>`,
  }
}

export type LinkForm = FormState & { token: string; link: OpenLink }

export function linkPage(t: Translator, form: LinkForm): Html {
  const { link, token } = form
  const title = t(`account.link.${link.kind}.title`)
  const password = asksForPassword(link)
    ? html`!${hiddenUsername(link.email)}!${fields(t, newPasswordFields(t), form)}`
    : ''
  const isMove = link.kind === 'email' || link.kind === 'both'
  return layout({
    t,
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
<p>!${t(`account.link.${link.kind}.asked`, namesOf(link))}</p>
!${isMove ? html`<p>${t('account.link.proven')}</p>` : ''}<p>${t(`account.link.${link.kind}.next`)}</p>
!${alarm(t, form)}
<form method="post" action="/customer/${token}">
!${csrfField(form)}
!${password}
<button class="full">${t(`account.link.${link.kind}.button`)}</button>
</form>
<p class="faint after">${t(link.kind === 'proof' ? 'account.link.not_used' : 'account.link.stays')}</p></div>`,
  })
}

function messagePage(t: Translator, title: string, message: Html): Html {
  return layout({ t, title, main: html`<div class="card"><h1>${title}</h1>!${message}</div>` })
}

/** The changes that were made, and the step that is left. */
export function donePage(t: Translator, link: OpenLink): Html {
  const names = namesOf(link)
  if (link.kind === 'password' || link.kind === 'proof')
    return messagePage(
      t,
      t(`account.link.${link.kind}.done`),
      html`<p>!${t(`account.link.${link.kind}.done_text`, names)}</p>`,
    )
  const saved = link.kind === 'both' ? html`<p>${t('account.link.both.saved')}</p>` : ''
  return messagePage(
    t,
    t('account.link.sent.title'),
    html`!${saved}<p>!${t('account.link.sent.text', names)}</p>
<p class="faint">!${t('account.link.sent.hint', names)}</p>`,
  )
}

/** The address is taken, and the page does not say by whom. */
export function takenPage(t: Translator, link: OpenLink): Html {
  const names = namesOf(link)
  return messagePage(
    t,
    t('account.link.taken.title'),
    html`<p>!${t('account.link.taken.text', names)}</p>
<p>!${t('account.link.taken.next', names)}</p>`,
  )
}

/** For a link that was used, has ended, or never existed: the page does not tell which. */
export function voidPage(t: Translator): Html {
  return messagePage(
    t,
    t('account.link.void.title'),
    html`<p>${t('account.link.void.text')}</p>
<p>${t('account.link.void.next')}</p>`,
  )
}
