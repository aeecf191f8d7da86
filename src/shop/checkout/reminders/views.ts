import { html } from 'ghtml'
import { type Html, initial, name, tile, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { languageOf, t } from '#platform/text/messages.ts'

/** A page of the company, because the recipient knows the company and not the service. */
function companyPage(language: string, company: string, title: string, content: Html): Html {
  return wholePage({
    title: `${title} · ${company}`,
    language: languageOf(language),
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
  const text = t(language, 'pages.reminders.stop.text', { shop: company })
  const form = html`<form method="post">
<button class="full">${t(language, 'pages.reminders.stop.button')}</button>
</form>`
  return companyPage(language, company, t(language, 'pages.reminders.stop.title'), html`<p>${text}</p>!${form}`)
}

export function stoppedPage(language: string, company: string): Html {
  const text = t(language, 'pages.reminders.stopped.text', { shop: company })
  return companyPage(language, company, t(language, 'pages.reminders.stopped.title'), html`<p>${text}</p>`)
}

export function voidPage(language: string): Html {
  const title = t(language, 'pages.reminders.void.title')
  return wholePage({
    title,
    language: languageOf(language),
    frame: 'narrow',
    body: html`<main>
<div class="card"><h1>${title}</h1>
<p>${t(language, 'pages.reminders.void.text')}</p></div>
</main>`,
  })
}
