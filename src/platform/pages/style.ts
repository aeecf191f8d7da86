import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The one stylesheet, joined from its parts in the order in which they build on one another. */
export const css = ['base', 'frame', 'forms', 'lists', 'poster']
  .map((part) => readFileSync(new URL(`style/${part}.css`, import.meta.url), 'utf8'))
  .join('\n')

/** The address changes with the content, so browsers may cache it forever. */
export const stylePath = `/assets/pages-${hash('sha256', css).slice(0, 12)}.css`
