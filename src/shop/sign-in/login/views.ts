import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { translatedLanguage } from '#platform/text/accepted-languages.ts'
import { translatorOf } from '#platform/text/messages.ts'

/** The same for everything that can be wrong with a login token. Without a shop there is no link. */
export function invalidLoginPage(acceptLanguage: string, shopAddress: string | undefined): Html {
  const t = translatorOf(translatedLanguage(acceptLanguage) ?? '')
  const title = t('pages.login.refused.title')
  const link = shopAddress === undefined ? '' : html`<a href="${shopAddress}">${t('pages.login.refused.to_shop')}</a>`
  return wholePage({
    title,
    language: t.language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${title}</h1>
<p class="lead">${t('pages.login.refused.text')}</p>
!${link === '' ? '' : html`<p class="links">!${link}</p>`}</main>`,
  })
}
