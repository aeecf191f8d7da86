import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The messages of the frame around all screens and of Home, by the first part of their keys. */
const FIRST: readonly string[] = JSON.parse(readFileSync(new URL('first-words.json', import.meta.url), 'utf8'))

const MODULE = /^virtual:words\/([a-z]{2})\/(first|other)$/

/**
 * Makes `virtual:words/en/first` and `virtual:words/en/other` of a file of messages, so that the first screen does not wait for
 * the messages of all others.
 */
export function words(): Plugin {
  return {
    name: 'words',
    resolveId: (source) => (MODULE.test(source) ? `\0${source}` : undefined),
    load(source) {
      const [, language, part] = MODULE.exec(source.slice(1)) ?? []
      if (language === undefined) return undefined
      const file = new URL(`../locales/${language}/admin.json`, import.meta.url)
      this.addWatchFile(file.pathname)
      const messages: [string, unknown][] = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
      const chosen = messages.filter(([name]) => FIRST.includes(name) === (part === 'first'))
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(chosen)))})`
    },
  }
}
