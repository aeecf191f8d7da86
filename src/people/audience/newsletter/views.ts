import { html } from 'ghtml'
import { acceptedLanguages, primaryLanguage } from '#identity/languages/rules.ts'
import { address, type Html, initial, name, tile, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import type { Sender } from './queries.ts'
import { hasWords, newsletterWords, type Words } from './words.ts'

/** The recipient who has opened a link, and the shop. */
export type Opened = { recipient: NewsRecipientState; sender: Sender }

type Names = [shop: Html, email: Html]

function namesOf({ recipient, sender }: Opened): Names {
  return [html`<strong>!${name(sender.shopName)}</strong>`, html`<strong>!${address(recipient.email)}</strong>`]
}

/** A page of the shop, because the recipient knows the shop and not the service. */
function shopPage(words: Words, shopName: string, title: string, content: Html): Html {
  return wholePage({
    title: `${title} · ${shopName}`,
    language: words.language,
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
  const words = newsletterWords(opened.recipient.language)
  const { title, text, button: label } = words.confirm
  return shopPage(words, opened.sender.shopName, title, html`<p>!${text(...namesOf(opened))}</p>!${button(label)}`)
}

export function confirmedPage(opened: Opened): Html {
  const words = newsletterWords(opened.recipient.language)
  const { title, text, hint } = words.confirmed
  const content = html`<p>!${text(...namesOf(opened))}</p><p class="faint">${hint}</p>`
  return shopPage(words, opened.sender.shopName, title, content)
}

export function leavePage(opened: Opened): Html {
  const words = newsletterWords(opened.recipient.language)
  const { title, text, button: label } = words.leave
  return shopPage(words, opened.sender.shopName, title, html`<p>!${text(...namesOf(opened))}</p>!${button(label)}`)
}

export function leftPage(opened: Opened): Html {
  const words = newsletterWords(opened.recipient.language)
  const { title, text } = words.left
  return shopPage(words, opened.sender.shopName, title, html`<p>!${text(...namesOf(opened))}</p>`)
}

/** For a link that is too old, whose recipient has left, or that never existed: the page does not tell which. */
export function voidPage(acceptLanguage: string): Html {
  const words = newsletterWords(acceptedLanguages(acceptLanguage).map(primaryLanguage).find(hasWords) ?? '')
  const { title, text } = words.void
  return wholePage({
    title,
    language: words.language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${title}</h1>
<p class="lead">${text}</p></main>`,
  })
}
