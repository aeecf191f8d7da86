import { t } from '../words/words.ts'
import type { PageName } from './draft.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Parts are divided by empty lines; a heading begins with `# `. */
function asHtml(text: string): string {
  return text
    .split('\n\n')
    .map((part) =>
      part.startsWith('# ') ? `<h2>${escaped(part.slice(2))}</h2>` : `<p>${escaped(part).replaceAll('\n', '<br>')}</p>`,
    )
    .join('')
}

/** A text to start from, in the language of the reader; what is in square brackets has to be filled in. */
export function templateOf(page: PageName, company: string, language: string): string | undefined {
  if (page === 'about' || language !== document.documentElement.lang) return undefined
  return asHtml(t(`shop.templates.${page}`, { company }))
}
