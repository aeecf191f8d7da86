import { html } from 'ghtml'
import { acceptedLanguages } from '#locales/rules.ts'
import { type Html, initial, tile, wholePage } from '#pages/layout.ts'
import { letterIcon } from '#pages/mark.ts'
import type { Shop } from '#theme-settings/state.ts'
import { directionOf, inOrder, type LocalizedText, otherHost, textIn } from './rules.ts'

export type ShopRequest = {
  /** Without a port. */
  host: string
  acceptLanguage: string
}

/** The service's own texts are English; a screen reader has to know. */
const english = (text: string, language: string): Html =>
  language === 'en' ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`

function paragraphs({ text, language }: LocalizedText): Html {
  const inside = text.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)
  return html`<div class="words" lang="${language}" dir="auto">!${inside.join('')}</div>`
}

/** All texts on a page of a shop, in the visitor's language as far as it exists. */
function wordsOf({ locales, homepage_url }: Shop, { host, acceptLanguage }: ShopRequest) {
  const ordered = inOrder(locales, acceptedLanguages(acceptLanguage))
  // A shop without a name is called by its host.
  const name = textIn(ordered, 'shop_name') ?? { text: host, language: 'en' }
  return {
    name,
    title: textIn(ordered, 'seo_title')?.text ?? name.text,
    summary: textIn(ordered, 'seo_description')?.text ?? '',
    description: textIn(ordered, 'shop_description'),
    offlineMessage: textIn(ordered, 'offline_message'),
    homepage: { address: homepage_url, host: otherHost(homepage_url, host) },
  }
}

type Words = ReturnType<typeof wordsOf>

function shopPage(
  { name }: Words,
  main: Html,
  { title, description = '' }: { title: string; description?: string },
): Html {
  const icon = letterIcon(initial(name.text))
  return wholePage({
    title,
    description,
    icon,
    language: name.language,
    frame: 'poster',
    body: html`<main dir="${directionOf(name.language)}">!${main}</main>`,
  })
}

function homepageLink({ homepage: { address, host } }: Words): Html {
  return host === undefined
    ? ''
    : html`<p class="links"><a href="${address}" rel="noopener noreferrer"><bdi dir="ltr">${host}</bdi></a></p>`
}

/** The page of an open shop: its name, description and homepage, until there is a real storefront. */
export function openPage(shop: Shop, request: ShopRequest): Html {
  const words = wordsOf(shop, request)
  const { name, title, summary, description } = words
  const main = html`!${tile(name.text)}
<h1 dir="auto">${name.text}</h1>
!${description === undefined ? '' : paragraphs(description)}
!${homepageLink(words)}`
  return shopPage(words, main, { title, description: summary })
}

const OFFLINE = 'This shop is closed at the moment.'

export function offlinePage(shop: Shop, request: ShopRequest): Html {
  const words = wordsOf(shop, request)
  const { name, offlineMessage } = words
  const message = offlineMessage ?? { text: OFFLINE, language: 'en' }
  const main = html`!${tile(name.text)}
<h1 dir="auto">${name.text}</h1>
!${paragraphs(message)}
!${homepageLink(words)}`
  return shopPage(words, main, { title: name.text })
}

export function nothingHerePage(shop: Shop, request: ShopRequest): Html {
  const words = wordsOf(shop, request)
  const { name } = words
  const title = 'There is nothing here'
  const main = html`!${tile(name.text)}
<h1>!${english(title, name.language)}</h1>
<p class="lead">!${english('The address is not quite right, or what was here is gone.', name.language)}</p>
<p class="links"><a href="/"><bdi>${name.text}</bdi></a></p>`
  return shopPage(words, main, { title: `${title} · ${name.text}` })
}

/** While the base URL is not set, the requested host may be the service's own, so the page says how to set it. */
export function noShopPage({ host }: ShopRequest, ownHost: string): Html {
  const isUnset = ownHost === 'localhost' && !host.endsWith('.localhost')
  const advice = isUnset
    ? html`If it is the address of the service itself, set <code>LICET_BASE_URL</code> to it.`
    : html`If it is yours, enter it as a domain of your shop.`
  return wholePage({
    title: 'There is no shop here',
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>There is no shop here.</h1>
<p class="lead">Nobody has a shop at <bdi dir="ltr"><strong>${host}</strong></bdi>. Maybe it has moved, or there is a slip in the address.</p>
<p class="faint">!${advice}</p></main>`,
  })
}
