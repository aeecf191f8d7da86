import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { loginWords } from './words.ts'

/** The same for everything that can be wrong with a login token. Without a shop there is no link. */
export function invalidLoginPage(acceptLanguage: string, shopAddress: string | undefined): Html {
  const { language, title, text, toShop } = loginWords(acceptLanguage)
  return wholePage({
    title,
    language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${title}</h1>
<p class="lead">${text}</p>
!${shopAddress === undefined ? '' : html`<p class="links"><a href="${shopAddress}">${toShop}</a></p>`}</main>`,
  })
}
