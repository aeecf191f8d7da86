import { html } from 'ghtml'
import { type Html, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import type { Reader } from '#platform/pages/reader.ts'

/** In place of the admin interface where it was not built. */
export function notBuiltPage({ t }: Reader): Html {
  const title = t('account.not_built.title')
  return wholePage({
    title,
    language: t.language,
    icon: letterIcon('L'),
    frame: 'poster',
    body: html`<main><div class="card"><h1>${title}</h1>
<p>!${t('account.not_built.text', { command: '<code>npm ci</code>' })}</p></div></main>`,
  })
}

/** Into this page the admin interface puts a mail. It has a policy of its own, and the page around it keeps its strict one. */
export const MAIL_FRAME = html`<!doctype html>`
