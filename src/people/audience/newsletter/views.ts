import { html } from 'ghtml'
import { address, type Html, initial, name, tile, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { translatedLanguage } from '#platform/text/accepted-languages.ts'
import { type Translator, translatorOf } from '#platform/text/messages.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import type { Sender } from './queries.ts'

/** The recipient who has opened a link, and the shop. */
export type Opened = { recipient: NewsRecipientState; sender: Sender }

/** No message has a `<` or `&`, so that these can be inserted as HTML. */
function namesOf({ recipient, sender }: Opened): { shop: Html; email: Html } {
  return {
    shop: html`<strong>!${name(sender.shopName)}</strong>`,
    email: html`<strong>!${address(recipient.email)}</strong>`,
  }
}

/** A page of the shop, because the recipient knows the shop and not the service. */
function shopPage({ language }: Translator, shopName: string, title: string, content: Html): Html {
  return wholePage({
    title: `${title} · ${shopName}`,
    language,
    icon: letterIcon(initial(shopName)),
    frame: 'narrow',
    body: html`<header class="top"><div class="brand">!${tile(shopName)}!${name(shopName)}</div></header>
<main>
<div class="card"><h1>${title}</h1>
!${content}</div>
</main>`,
  })
}

/** Without an `action` the form goes to the address of the page, so the token is not repeated on it. */
function button(label: string): Html {
  return html`<form method="post">
<button class="full">${label}</button>
</form>`
}

export function confirmPage(opened: Opened): Html {
  const t = translatorOf(opened.recipient.language)
  const text = html`<p>!${t('pages.newsletter.confirm.text', namesOf(opened))}</p>`
  const form = button(t('pages.newsletter.confirm.button'))
  return shopPage(t, opened.sender.shopName, t('pages.newsletter.confirm.title'), `${text}${form}`)
}

export function confirmedPage(opened: Opened): Html {
  const t = translatorOf(opened.recipient.language)
  const text = html`<p>!${t('pages.newsletter.confirmed.text', namesOf(opened))}</p>`
  const hint = html`<p class="faint">${t('pages.newsletter.confirmed.hint')}</p>`
  return shopPage(t, opened.sender.shopName, t('pages.newsletter.confirmed.title'), `${text}${hint}`)
}

export function leavePage(opened: Opened): Html {
  const t = translatorOf(opened.recipient.language)
  const text = html`<p>!${t('pages.newsletter.leave.text', namesOf(opened))}</p>`
  const form = button(t('pages.newsletter.leave.button'))
  return shopPage(t, opened.sender.shopName, t('pages.newsletter.leave.title'), `${text}${form}`)
}

export function leftPage(opened: Opened): Html {
  const t = translatorOf(opened.recipient.language)
  const text = html`<p>!${t('pages.newsletter.left.text', namesOf(opened))}</p>`
  return shopPage(t, opened.sender.shopName, t('pages.newsletter.left.title'), text)
}

/** For a link that is too old, whose recipient has left, or that never existed: the page does not tell which. */
export function voidPage(acceptLanguage: string): Html {
  const t = translatorOf(translatedLanguage(acceptLanguage) ?? '')
  const title = t('pages.newsletter.void.title')
  return wholePage({
    title,
    language: t.language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${title}</h1>
<p class="lead">${t('pages.newsletter.void.text')}</p></main>`,
  })
}
