import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'

/** In place of the admin interface where it was not built. */
export function notBuiltPage(): Html {
  return wholePage({
    title: 'The admin interface is not built',
    icon: letterIcon('L'),
    frame: 'poster',
    body: html`<main><div class="card"><h1>The admin interface is not built</h1>
<p>Install the packages again: <code>npm ci</code> builds it. Then reload this page.</p>
<p class="links"><a class="button quiet" href="/account">Go to your account</a></p></div></main>`,
  })
}
