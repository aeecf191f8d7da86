import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type CompiledMessage, compileMessage, type MessageValues } from './icu.ts'
import type { Messages } from './messages.gen.ts'

/** The files of the translators: a folder for each language, and in it a file for each kind of text. */
const FOLDER = new URL('../../../locales/', import.meta.url)

/** The texts of the admin interface are said in the browser, which has them in its own files. */
export const OF_BROWSER = 'admin'

/** Has every message, and speaks for the languages that have none. */
const FALLBACK = 'en'

/** A file and the path of a message in it, such as `mails.gift.subject`. */
export type MessageKey = keyof Messages

/** The keys of messages that need no values. */
export type PlainMessageKey = { [Key in MessageKey]: Messages[Key] extends undefined ? Key : never }[MessageKey]

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** What a message has to be given. If the key may be one of several, it is what all of them need. */
export type MessageArguments<Key extends MessageKey> = [Messages[Key]] extends [undefined]
  ? []
  : [values: Intersection<Exclude<Messages[Key], undefined>>]

/** Texts that somebody wrote in place of ours. One that does not fit its message is left out. */
export type Overrides = { readonly [Key in MessageKey]?: string }

/** Says messages in one language. */
export type Translator = {
  <Key extends MessageKey>(key: Key, ...values: MessageArguments<Key>): string
  /** The language that it speaks, which is English where there are no messages in the one that was asked for. */
  readonly language: string
}

/** The languages with messages, and the region whose plurals, numbers and dates their texts are written for. */
const LOCALES: ReadonlyMap<string, string> = new Map([
  ['en', 'en-GB'],
  ['de', 'de-DE'],
  ['fr', 'fr-FR'],
  ['es', 'es-ES'],
  ['it', 'it-IT'],
  ['pt', 'pt-PT'],
])

export const LANGUAGES: readonly string[] = [...LOCALES.keys()]

export function isTranslated(language: string): boolean {
  return LOCALES.has(language)
}

/** The language in which somebody is answered who asked for `de` or `de-AT`. */
export function languageOf(asked: string): string {
  if (LOCALES.has(asked)) return asked
  const primary = asked.toLowerCase().split('-')[0] ?? ''
  return LOCALES.has(primary) ? primary : FALLBACK
}

/** `en-GB` for `en`. Intl would take some languages alone for those of another region. */
export function localeOf(language: string): string {
  return LOCALES.get(languageOf(language)) ?? FALLBACK
}

/** The locale of a language in a country: `en-US` and `en-GB` write dates in different ways. */
export function localeIn(language: string, country: string): string {
  const there = `${language}-${country}`
  if (/^[a-z]{2,3}-[A-Z]{2}$/.test(there) && isKnown(there)) return there
  return isTranslated(language) ? localeOf(language) : language
}

/** Intl answers with the language alone if it knows nothing of the country. */
function isKnown(locale: string): boolean {
  return new Intl.DateTimeFormat(locale).resolvedOptions().locale === locale
}

type Catalog = { texts: ReadonlyMap<string, string>; compiled: Map<string, CompiledMessage> }

const catalogs = new Map<string, Catalog>()

/** Files are read once in a process, when the first message of their language is said. */
function catalogOf(language: string): Catalog {
  const known = catalogs.get(language)
  if (known !== undefined) return known
  const catalog = { texts: readMessages(language), compiled: new Map() }
  catalogs.set(language, catalog)
  return catalog
}

/** The messages of a language by their keys, as they are written. */
export function readMessages(language: string): ReadonlyMap<string, string> {
  const files = readdirSync(new URL(`${language}/`, FOLDER))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .filter((name) => name !== OF_BROWSER)
    .sort()
  return new Map(files.flatMap((name) => readFile(language, name)))
}

/** The messages of a language whose keys begin with a text, in their order. */
export function messagesBelow(language: string, prefix: string): [string, string][] {
  return [...catalogOf(languageOf(language)).texts].filter(([key]) => key.startsWith(prefix))
}

/** The messages of one file of a language. */
export function readFile(language: string, name: string): [string, string][] {
  return flatten(JSON.parse(readFileSync(new URL(`${language}/${name}.json`, FOLDER), 'utf8')), name)
}

/** A text that differs after any change of the files of a name. */
export function messagesStamp(file: string): string {
  const stamps = LANGUAGES.map((language) => statSync(new URL(`${language}/${file}.json`, FOLDER)))
  return stamps.map(({ mtimeMs, size }) => `${mtimeMs} ${size}`).join('\n')
}

/** `{gift: {subject: "…"}}` in `mails.json` has the key `mails.gift.subject`. */
function flatten(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  return Object.entries(Object(value)).flatMap(([name, inside]) => flatten(inside, `${key}.${name}`))
}

/** A message in a language, with its values filled in. The compiler checks the key and the values. */
export function t<Key extends MessageKey>(language: string, key: Key, ...values: MessageArguments<Key>): string {
  return say(languageOf(language), key, values) ?? key
}

/** `t` for one language and, if the owner of the shop wrote texts, for those. */
export function translatorOf(asked: string, overrides: Overrides = {}): Translator {
  const language = languageOf(asked)
  const translate = <Key extends MessageKey>(key: Key, ...values: MessageArguments<Key>) =>
    sayOverride(language, overrides[key], values) ?? say(language, key, values) ?? key
  return Object.assign(translate, { language })
}

/** The types of the keys say which values there are. */
function valuesIn([values]: readonly unknown[]): MessageValues | undefined {
  return values as MessageValues | undefined
}

function say(language: string, key: string, values: readonly unknown[]): string | undefined {
  const message = findMessage(language, key) ?? findMessage(FALLBACK, key)
  return message?.(valuesIn(values))
}

/** The message of a key that is only known at run time, in one language; undefined if there is none. */
export function findMessage(language: string, key: string): CompiledMessage | undefined {
  if (!LOCALES.has(language)) return undefined
  const { texts, compiled } = catalogOf(language)
  const known = compiled.get(key)
  if (known !== undefined) return known
  const text = texts.get(key)
  if (text === undefined) return undefined
  const message = compileMessage(text, localeOf(language))
  compiled.set(key, message)
  return message
}

/** What an owner wrote may be no message, or ask for a value that there is not. */
function sayOverride(language: string, text: string | undefined, values: readonly unknown[]): string | undefined {
  if (text === undefined) return undefined
  try {
    return compileMessage(text, localeOf(language))(valuesIn(values))
  } catch {
    return undefined
  }
}
