import { html } from 'ghtml'
import { translatorOf } from '#platform/text/messages.ts'
import { dateIn } from '#shop/themes/formats.rules.ts'
import type { ShopVisit } from '../state.ts'

/** What the layout of the default theme marks pages of sandboxes with. */
const MARK = 'data-sandbox'

type Marked = Pick<ShopVisit, 'sandboxTime' | 'language' | 'country'>

/** A page of a sandbox says so, also in a theme whose layout forgets it: nobody must take its prices and orders for real. */
export function markSandbox(page: string, { sandboxTime, language, country }: Marked): string {
  if (sandboxTime === undefined || page.includes(MARK)) return page
  const date = dateIn({ language, country }, sandboxTime)
  const mark = html`<p class="note preview" data-sandbox>${translatorOf(language)('pages.layout.sandbox', { date })}</p>`
  return /<body[^>]*>/i.test(page) ? page.replace(/<body[^>]*>/i, (body) => `${body}\n${mark}`) : `${mark}\n${page}`
}
