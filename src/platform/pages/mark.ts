import { html } from 'ghtml'
import type { Html } from './layout.ts'

/** The name of the software, in every language. */
export const SERVICE = 'Licet'

const SHAPE =
  '<rect width="24" height="24" rx="7"/><path d="M7 12.6l3.4 3.4L17.2 8.4" fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>'

/** The logo. The stylesheet sets its colours. */
export const MARK: Html = `<svg class="mark" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">${SHAPE}</svg>`

/** The logo for the browser's tab, without a stylesheet; its colours work on light and on dark. */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#0e8069" stroke="#ffffff">${SHAPE.replace('/>', ' stroke="none"/>')}</svg>`,
)}`

/** An initial for the browser's tab, in the same colours or in those of a shop. */
export function letterIcon(letter: string, { colour, on } = { colour: '#0e8069', on: '#ffffff' }): string {
  const shape = html`<rect width="24" height="24" rx="7" fill="${colour}"/><text x="12" y="17" font-family="system-ui,sans-serif" font-size="14" font-weight="700" text-anchor="middle" fill="${on}">${letter}</text>`
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${shape}</svg>`)}`
}
