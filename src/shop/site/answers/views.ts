import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { translatorOf } from '#platform/text/messages.ts'
import type { ThemeFault } from '#shop/themes/state.ts'

/** While the base URL is not set, the requested host may be the service's own, so the page says how to set it. */
export function noShopPage(asked: string, host: string, ownHost: string): Html {
  const t = translatorOf(asked)
  const isUnset = ownHost === 'localhost' && !host.endsWith('.localhost')
  const advice = isUnset
    ? t('pages.no_shop.service', { setting: '<code>LICET_BASE_URL</code>' })
    : t('pages.no_shop.owner')
  return wholePage({
    title: t('pages.no_shop.title'),
    language: t.language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${t('pages.no_shop.title')}</h1>
<p class="lead">!${t('pages.no_shop.text', { host: html`<bdi dir="ltr"><strong>${host}</strong></bdi>` })}</p>
<p class="faint">!${advice}</p></main>`,
  })
}

/** Shows the owner of a shop what is wrong with its theme. Everybody else sees the page as it was before. */
export function themeFaultPage(asked: string, { file, line, message }: ThemeFault): Html {
  const t = translatorOf(asked)
  const title = t('pages.theme_fault.title')
  const place = line === undefined ? file : t('pages.theme_fault.place', { file, line })
  return wholePage({
    title,
    language: t.language,
    icon: letterIcon('!'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">!</span>
<h1>${title}</h1>
<p class="lead"><code>${place}</code></p>
<p lang="en">${message}</p>
<p class="faint">${t('pages.theme_fault.who')}</p></main>`,
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
