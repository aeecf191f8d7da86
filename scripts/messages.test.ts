import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { LANGUAGES, readMessages } from '#platform/text/messages.ts'
import { argumentsOf } from './messages.ts'

const ROOT = new URL('../', import.meta.url)
const FILES = 'mails|rights|pages|invoices|errors'

/** Inserted as HTML by some pages, so that a name in it can be emphasized. */
const MARKUP = /[<&]/
const WITH_MARKUP: ReadonlySet<string> = new Set()

const english = readMessages('en')

/** The keys that the source names, as patterns: the variable part of a key is any word. */
async function namedKeys(): Promise<RegExp[]> {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !/\.(test|gen)\.ts$/.test(path))
  const sources = await Promise.all(files.map((path) => readFile(new URL(path, ROOT), 'utf8')))
  const quoted = new RegExp(`['\`]((?:${FILES})\\.[^'\`\\n]+)['\`]`, 'g')
  return sources.flatMap((source) =>
    [...source.matchAll(quoted)].map(([, key = '']) => {
      const parts = key.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part))
      return new RegExp(`^${parts.join('\\w+')}$`)
    }),
  )
}

describe('the messages', () => {
  test('are in the folders of the languages, and nothing else is', async () => {
    assert.deepEqual((await readdir(new URL('locales/', ROOT))).sort(), [...LANGUAGES].sort())
    const files = globSync('locales/*/*', { cwd: ROOT })
    assert.ok(files.length > 0)
    for (const file of files) assert.match(file, new RegExp(`^locales/[a-z]{2}/(${FILES})\\.json$`))
  })

  for (const language of LANGUAGES)
    describe(`in ${language}`, () => {
      const messages = readMessages(language)

      test('are those of English, in the same order', () => {
        assert.deepEqual([...messages.keys()], [...english.keys()])
      })

      test('can be parsed, and take the arguments that the English ones take', () => {
        for (const [key, text] of messages)
          assert.deepEqual(argumentsOf(text), argumentsOf(english.get(key) ?? ''), `${language}: ${key}`)
      })

      test('say something, without markup', () => {
        for (const [key, text] of messages) {
          assert.ok(text.trim() !== '', key)
          if (!WITH_MARKUP.has(key)) assert.doesNotMatch(text, MARKUP, `${language}: ${key}`)
        }
      })
    })

  describe('are used', () => {
    let named: RegExp[] = []
    before(async () => {
      named = await namedKeys()
    })

    test('every one', () => {
      assert.ok(named.length > 0)
      const unused = [...english.keys()].filter((key) => !named.some((pattern) => pattern.test(key)))
      assert.deepEqual(unused, [])
    })
  })
})
