import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { translatorOf } from '#platform/text/messages.ts'
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

/** The page of a shop while the database is away. `canRepeat`: the visitor can ask for the same page again. */
export function awayPage(asked: string, requestId: string, canRepeat: boolean): Html {
  const t = translatorOf(asked)
  // An empty address is the one at which the visitor is.
  const again = canRepeat ? html`<p class="links"><a class="button quiet" href="">${t('pages.away.again')}</a></p>` : ''
  return wholePage({
    title: t('pages.away.title'),
    language: t.language,
    icon: letterIcon('!'),
    frame: 'poster',
    body: html`<main><div class="card"><h1>${t('pages.away.title')}</h1>
<p>${t('pages.away.text')}</p>
!${again}
<p class="faint">${t('pages.problem.number')} <code>${requestId}</code></p></div></main>`,
  })
}
