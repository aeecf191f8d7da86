import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The one stylesheet, from its parts in the order in which they build on one another. */
export const css = ['base', 'frame', 'forms', 'lists', 'poster']
  .map((part) => readFileSync(new URL(`style/${part}.css`, import.meta.url), 'utf8'))
  .join('\n')

/** Its address changes with what is in it, so browsers may keep it for ever. */
export const stylePath = `/assets/pages-${hash('sha256', css).slice(0, 12)}.css`
