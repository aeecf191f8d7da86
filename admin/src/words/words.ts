import english from 'virtual:words/en/first'
import { IntlMessageFormat } from 'intl-messageformat'
import type { Messages } from './messages.gen.ts'

/** The languages of the admin interface, with the region whose numbers and dates their texts are written for. */
const LOCALES = { en: 'en-GB', de: 'de-DE' } as const
type Language = keyof typeof LOCALES

type Load = () => Promise<{ default: object }>

/** The messages of the first screen, and those of all others. */
const LOADERS: Record<Language, { first: Load; other: Load }> = {
  en: { first: async () => ({ default: english }), other: () => import('virtual:words/en/other') },
  de: { first: () => import('virtual:words/de/first'), other: () => import('virtual:words/de/other') },
}

export type MessageKey = keyof Messages

type Arguments<Key extends MessageKey> = [Messages[Key]] extends [undefined] ? [] : [values: Messages[Key]]

/** What can be done, and what apps may use, in the words of the pages of the service. */
const ACCOUNT: Record<Language, () => Promise<AccountWords>> = {
  en: () => import('../../../locales/en/account.json'),
  de: () => import('../../../locales/de/account.json'),
}

type AccountWords = { activity: { actions: Record<string, string> }; scopes: Record<string, string> }

let locale: string = LOCALES.en
let language: Language = 'en'
let texts: object = english
const compiled = new Map<string, string | IntlMessageFormat>()

let others: Promise<void> | undefined

/** Loads the first language that there is of those that somebody wants, best first. The first screen need not wait for all of it. */
export async function loadWords(wanted: readonly string[]): Promise<void> {
  const primary = wanted.map((each) => each.toLowerCase().split('-')[0] ?? '')
  language = primary.find((each): each is Language => each in LOCALES) ?? 'en'
  others = undefined
  const behind = loadOtherWords()
  // A screen that needs them says that they could not be loaded, and asks again.
  behind.catch(() => undefined)
  const first = (await LOADERS[language].first()).default
  texts = { ...texts, ...first }
  // The numbers and dates of de-AT are those that somebody in Austria reads.
  locale = wanted.find((each) => each.toLowerCase().startsWith(language)) ?? LOCALES[language]
  compiled.clear()
  document.documentElement.lang = language
}

/** Loads the messages of all screens, once. */
export function loadOtherWords(): Promise<void> {
  others ??= LOADERS[language].other().then(
    (loaded) => {
      texts = { ...texts, ...loaded.default }
      compiled.clear()
    },
    (error: unknown) => {
      others = undefined
      throw error
    },
  )
  return others
}

/** Loads something that is shown beside any screen, with its messages. */
export async function withWords<Loaded>(load: Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([load, loadOtherWords()])
  return loaded
}

/** The words for an action of the audit log, by its name there. */
export async function loadActions(): Promise<(action: string) => string> {
  const { activity } = await ACCOUNT[language]()
  const words = new Map(Object.entries(activity.actions))
  return (action) => words.get(action.replaceAll(/[ -]/g, '_')) ?? action
}

/** The words for what an app may use. */
export async function loadScopes(): Promise<(scope: string) => string> {
  const { scopes } = await ACCOUNT[language]()
  const words = new Map(Object.entries(scopes))
  return (scope) => words.get(scope) ?? scope
}

/** The language in which the service says its sentences to the reader. */
export const readerLanguage = (): string => language

/** How numbers, money and times are written for the reader. */
export const readerLocale = (): string => locale

function textOf(key: string): string {
  let found: unknown = texts
  for (const name of key.split('.')) found = Object(found)[name]
  return typeof found === 'string' ? found : key
}

/** A text of the admin interface. The compiler checks the key and the values. */
export function t<Key extends MessageKey>(key: Key, ...[values]: Arguments<Key>): string {
  let message = compiled.get(key)
  if (message === undefined) {
    const text = textOf(key)
    // Most messages are plain, and need no parser.
    message = /[{}'<]/.test(text) ? new IntlMessageFormat(text, locale) : text
    compiled.set(key, message)
  }
  if (typeof message === 'string') return message
  return String(message.format(values as Record<string, string | number> | undefined))
}
