import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const CHANGELOG = new URL('../CHANGELOG.md', import.meta.url)
const MODULE = 'virtual:news'
const SHOWN = 20

/** The entries of the newest section of a changelog, each in one line. */
function newestEntries(changelog: string): string[] {
  const [, newest = ''] = changelog.split(/^## /m)
  return newest
    .split(/^- /m)
    .slice(1)
    .map((entry) =>
      entry
        .split(/\n(?=\n|#)/)[0]
        ?.replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((entry) => entry !== undefined)
}

const isPlain = (sentence: string) => !sentence.includes('`')

/** The sentences up to the first one with the name of an endpoint or a setting, in plain text. */
function plainText(entry: string): string {
  const sentences = entry.replace(/ \([^()]*`[^()]*\)/g, '').split(/(?<=\.) (?=[A-Z`"])/)
  const end = sentences.findIndex((sentence) => !isPlain(sentence))
  return sentences
    .slice(0, end === -1 ? sentences.length : end)
    .join(' ')
    .replace(/[*"]/g, '')
}

/** What users of the admin interface read of a changelog. */
export function newsOf(changelog: string): string[] {
  return newestEntries(changelog)
    .map(plainText)
    .filter((text) => text.includes('admin interface'))
    .slice(0, SHOWN)
}

function readChangelog(): string {
  try {
    return readFileSync(CHANGELOG, 'utf8')
  } catch {
    // A build without the changelog has no news.
    return ''
  }
}

/** Makes `virtual:news` from the changelog, and a short name of it by which a browser knows whether it was seen. */
export function news(): Plugin {
  const texts = newsOf(readChangelog())
  const id = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 8)
  return {
    name: 'news',
    config: () => ({ define: { LICET_NEWS: JSON.stringify(texts.length === 0 ? '' : id) } }),
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : undefined),
    load: (source) => (source === `\0${MODULE}` ? `export const NEWS = ${JSON.stringify(texts)}` : undefined),
  }
}
