import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { ACTIONS } from '#history/audit/actions.facts.ts'
import { LANGUAGES, OF_BROWSER, readFile as readMessageFile, readMessages } from '#platform/text/messages.ts'
import { argumentsOf } from './messages.ts'

const ROOT = new URL('../', import.meta.url)
const FILES = 'account|mails|rights|pages|invoices|admin'

/** The admin interface speaks these. */
const OF_ADMIN = ['en', 'de']

const OF_AUDIT = 'account.activity.actions.'

/** Some pages insert a message as HTML, so that a name in it can be emphasized. */
const MARKUP = /[<&]/
/** Its page escapes it. */
const WITH_MARKUP: ReadonlySet<string> = new Set(['pages.player.keys'])

/** Words that only friends are addressed with. In Italian and German, buttons are short commands, as in every program. */
const words = (...forms: string[]) => new RegExp(`(?<!\\p{L})(${forms.join('|')})(?!\\p{L})`, 'iu')
const INFORMAL: Record<string, RegExp> = {
  de: words('du', 'dich', 'dir', 'dein(e[mnrs]?)?', 'euch', 'euer', 'eure[mnrs]?'),
  fr: words('tu', 'toi', 'te', 'ton', 'ta', 'tes', 'tien(ne)?'),
  es: words('tú', 'tu', 'tus', 'ti', 'te', 'tuy[oa]s?', 'contigo', 'has', 'puedes', 'podrás', 'tienes', 'quieres'),
  it: words('tu', 'tuo', 'tua', 'tuoi', 'tue', 'ti', 'hai', 'puoi', 'potrai', 'vuoi', 'devi', 'riceverai'),
  pt: words('tu', 'ti', 'te', 'teus?', 'tuas?', 'contigo', 'podes', 'tens', 'queres'),
}

const english = readMessages('en')

async function readAll(pattern: string): Promise<string[]> {
  const files = globSync(pattern, { cwd: ROOT }).filter((path) => !/\.(test|gen)\.ts$/.test(path))
  return Promise.all(files.map((path) => readFile(new URL(path, ROOT), 'utf8')))
}

/** The keys that the source names: whole ones, and patterns of those of which a part is only known at run time. */
async function namedKeys(): Promise<{ whole: Set<string>; patterns: RegExp[] }> {
  const [sources, templates] = await Promise.all([readAll('src/**/*.ts'), readAll('themes/*/*/*.liquid')])
  const quoted = [...sources, ...templates].flatMap((source) => [...source.matchAll(/['`]([a-z_]+\.[^'`\s]*)['`]/g)])
  const keys = quoted.flatMap(([, key = '']) => [key, `pages.${key}`])
  // A template of a theme appends the rest of a key.
  const parts = keys.map((key) => (key.endsWith('.') ? `${key}\${}` : key)).filter((key) => key.includes('${'))
  const patterns = parts.map((key) =>
    key
      .split(/\$\{[^}]*\}/)
      .map((part) => RegExp.escape(part))
      .join('[\\w-]+'),
  )
  return { whole: new Set(keys), patterns: patterns.map((pattern) => new RegExp(`^${pattern}$`)) }
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

      test('of mails begin with a capital letter, also after the salutation, and no quotation is inside another', () => {
        const ofMails = [...messages].filter(([key]) => key.startsWith('mails.'))
        assert.ok(ofMails.length > 200)
        for (const [key, text] of ofMails) assert.doesNotMatch(text, /^\p{Ll}/u, `${language}: ${key}`)
        for (const [key, text] of messages)
          assert.doesNotMatch(text, /„[^“]*„|«[^»]*«|["“]\{?"/u, `${language}: ${key}`)
      })

      test('say something, politely and without markup', () => {
        for (const [key, text] of messages) {
          assert.doesNotMatch(text, INFORMAL[language] ?? /^$/, `${language}: ${key}`)
          assert.ok(text.trim() !== '', key)
          if (!WITH_MARKUP.has(key)) assert.doesNotMatch(text, MARKUP, `${language}: ${key}`)
        }
      })
    })

  describe('of the admin interface', () => {
    const inEnglish = new Map(readMessageFile('en', OF_BROWSER))

    test('are there in its languages', () => {
      const files = globSync(`locales/*/${OF_BROWSER}.json`, { cwd: ROOT })
      assert.deepEqual(files.sort(), OF_ADMIN.map((language) => `locales/${language}/${OF_BROWSER}.json`).sort())
    })

    test('are those of English, with their arguments, politely and without markup', () => {
      assert.ok(inEnglish.size > 100)
      for (const language of OF_ADMIN) {
        const messages = new Map(readMessageFile(language, OF_BROWSER))
        assert.deepEqual([...messages.keys()], [...inEnglish.keys()])
        for (const [key, text] of messages) {
          assert.deepEqual(argumentsOf(text), argumentsOf(inEnglish.get(key) ?? ''), `${language}: ${key}`)
          assert.doesNotMatch(text, INFORMAL[language] ?? /^$/, `${language}: ${key}`)
          assert.ok(text.trim() !== '' && !MARKUP.test(text), `${language}: ${key}`)
        }
      }
    })

    test('are all used', async () => {
      const source = (await readAll('admin/src/**/*.{ts,tsx}')).join('\n')
      const whole = new Set([...source.matchAll(/'([\w.-]+)'/g)].map(([, key]) => key))
      // Parts that are only known at run time stand for a word or two.
      const patterns = [...new Set([...source.matchAll(/`([\w.-]*\$\{[^`]*)`/g)].map(([, text = '']) => text))]
        .map((text) => text.split(/\$\{[^}]*\}/))
        .filter((parts) => parts.every((part) => /^[\w.-]*$/.test(part)) && parts.some((part) => /[a-z]{3}/.test(part)))
        .map(
          (parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('[\\w-]+(?:\\.[\\w-]+)?')}$`),
        )
      const isUsed = (key: string) =>
        whole.has(key) ||
        patterns.some((pattern) => pattern.test(key)) ||
        source.includes(`\`${key.replace(/[^.]+$/, '${')}`)
      const keys = [...inEnglish.keys()].map((key) => key.slice(OF_BROWSER.length + 1))
      assert.deepEqual(
        keys.filter((key) => !isUsed(key)),
        [],
      )
    })
  })

  test('are given what they need by the templates of the theme', async () => {
    const templates = await readAll('themes/default/*/*.liquid')
    const uses = templates.flatMap((text) => [...text.matchAll(/'([a-z_]+\.[a-z_.]+)' \| t\b([^|%}]*)/g)])
    assert.ok(uses.length > 300)
    for (const [use, key = '', values = ''] of uses) {
      const given = [...values.matchAll(/(\w+):/g)].map(([, name]) => name)
      const needed = [...argumentsOf(english.get(`pages.${key}`) ?? '').keys()]
      assert.deepEqual(given.sort(), needed, use)
    }
  })

  test('are all used', async () => {
    const { whole, patterns } = await namedKeys()
    const isUsed = (key: string) => whole.has(key) || patterns.some((pattern) => pattern.test(key))
    assert.ok(whole.size > 0 && patterns.length > 0)
    assert.deepEqual(
      [...english.keys()].filter((key) => !isUsed(key) && !key.startsWith(OF_AUDIT)),
      [],
    )
  })

  test('have one for each action of the audit log, by whose name the admin interface finds it', () => {
    const keys = [...english.keys()].filter((key) => key.startsWith(OF_AUDIT))
    const expected = ACTIONS.map((action) => `${OF_AUDIT}${action.replaceAll(/[ -]/g, '_')}`)
    assert.deepEqual(keys.sort(), expected.sort())
  })
})
