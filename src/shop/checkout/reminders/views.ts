import { html } from 'ghtml'
import { type Html, initial, name, tile, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { type ReminderWords, reminderWords } from './words.ts'

/** A page of the company, because the recipient knows the company and not the service. */
function companyPage({ language }: ReminderWords, company: string, title: string, content: Html): Html {
  return wholePage({
    title: `${title} · ${company}`,
    language,
    icon: letterIcon(initial(company)),
    frame: 'narrow',
    body: html`<header class="top"><div class="brand">!${tile(company)}!${name(company)}</div></header>
<main>
<div class="card"><h1>${title}</h1>
!${content}</div>
</main>`,
  })
}

/** Without an `action` the form goes to the address of the page, so the token is not repeated on it. */
export function stopPage(language: string, company: string): Html {
  const words = reminderWords(language)
  const { title, text, button } = words.page
  const form = html`<form method="post">
<button class="full">${button}</button>
</form>`
  return companyPage(words, company, title, html`<p>${text(company)}</p>!${form}`)
}

export function stoppedPage(language: string, company: string): Html {
  const words = reminderWords(language)
  const { title, text } = words.stopped
  return companyPage(words, company, title, html`<p>${text(company)}</p>`)
}

export function voidPage(language: string): Html {
  const words = reminderWords(language)
  const { title, text } = words.void
  return wholePage({
    title,
    language: words.language,
    frame: 'narrow',
    body: html`<main>
<div class="card"><h1>${title}</h1>
<p>${text}</p></div>
</main>`,
  })
}
