import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import type { ThemeFault } from '#shop/themes/state.ts'

/** While the base URL is not set, the requested host may be the service's own, so the page says how to set it. */
export function noShopPage(host: string, ownHost: string): Html {
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

/** Shows the owner of a shop what is wrong with its theme. Everybody else sees the page as it was before. */
export function themeFaultPage({ file, line, message }: ThemeFault): Html {
  const place = line === undefined ? file : `${file}, line ${line}`
  return wholePage({
    title: 'The theme has a mistake',
    icon: letterIcon('!'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">!</span>
<h1>The theme has a mistake</h1>
<p class="lead"><code>${place}</code></p>
<p>${message}</p>
<p class="faint">Only you see this. Visitors see the page as it was before, or a page that says that it is not available.</p></main>`,
  })
}

type AwayWords = { title: string; text: string; again: string; number: string }

/** What a shop says while nothing can be read, not even its theme's own words for the visitor. */
const AWAY: Readonly<Record<string, AwayWords>> = {
  en: {
    title: 'Not available right now',
    text: 'The shop is not available right now. Please try again in a moment.',
    again: 'Try again',
    number: 'If you ask for help, pass on this number:',
  },
  de: {
    title: 'Gerade nicht erreichbar',
    text: 'Der Shop ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    again: 'Erneut versuchen',
    number: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',
  },
  fr: {
    title: 'Momentanément indisponible',
    text: 'La boutique est momentanément indisponible. Veuillez réessayer dans un instant.',
    again: 'Réessayer',
    number: 'Si vous demandez de l’aide, indiquez ce numéro :',
  },
  es: {
    title: 'No disponible en este momento',
    text: 'La tienda no está disponible en este momento. Inténtelo de nuevo dentro de un momento.',
    again: 'Volver a intentarlo',
    number: 'Si pide ayuda, indique este número:',
  },
  it: {
    title: 'Non disponibile al momento',
    text: 'Il negozio non è disponibile al momento. Riprovi tra poco.',
    again: 'Riprova',
    number: 'Se chiede aiuto, indichi questo numero:',
  },
  pt: {
    title: 'Indisponível de momento',
    text: 'A loja não está disponível de momento. Tente novamente daqui a pouco.',
    again: 'Tentar de novo',
    number: 'Se pedir ajuda, indique este número:',
  },
}

export const AWAY_LANGUAGES: readonly string[] = Object.keys(AWAY)

/** The page of a shop while the database is away. `canRepeat`: the visitor can ask for the same page again. */
export function awayPage(asked: string, requestId: string, canRepeat: boolean): Html {
  const [language, words] = Object.entries(AWAY).find(([code]) => code === asked) ?? ['en', AWAY.en as AwayWords]
  // An empty address is the one at which the visitor is.
  const again = canRepeat ? html`<p class="links"><a class="button quiet" href="">${words.again}</a></p>` : ''
  return wholePage({
    title: words.title,
    language,
    icon: letterIcon('!'),
    frame: 'poster',
    body: html`<main><div class="card"><h1>${words.title}</h1>
<p>${words.text}</p>
!${again}
<p class="faint">${words.number} <code>${requestId}</code></p></div></main>`,
  })
}
