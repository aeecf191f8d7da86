import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The one stylesheet. Its address changes with what is in it, so browsers may keep it for ever. */
export const css = readFileSync(new URL('style.css', import.meta.url), 'utf8')

export const stylePath = `/assets/pages-${hash('sha256', css).slice(0, 12)}.css`
