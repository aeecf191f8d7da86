import { createRequire } from 'node:module'
import type { Formatters, IntlMessageFormat } from 'intl-messageformat'

export type MessageValues = Record<string, string | number | Date>

/** A message that was parsed. It throws if a value is missing. */
export type CompiledMessage = (values: MessageValues | undefined) => string

const load = createRequire(import.meta.url)
let messageFormat: typeof IntlMessageFormat | undefined

/** The parser takes as long to load as hundreds of our modules, and a start says nothing. */
function parser(): typeof IntlMessageFormat {
  messageFormat ??= load('intl-messageformat').IntlMessageFormat as typeof IntlMessageFormat
  return messageFormat
}

export type MessageElement = ReturnType<IntlMessageFormat['getAst']>[number]

/** Parses an ICU message. A `<` is a character like any other, because texts are escaped where they are shown. */
function parse(text: string, locale: string): IntlMessageFormat {
  return new (parser())(text, locale, undefined, { ignoreTag: true, formatters: formattersOf(locale) })
}

/** The parts of a message. Throws a SyntaxError with the mistake in it. */
export function elementsOf(text: string): readonly MessageElement[] {
  return parse(text, 'en').getAst()
}

/** A message that is ready to be said. Parsing takes a hundred times as long as saying. */
export function compileMessage(text: string, locale: string): CompiledMessage {
  // Most messages are plain texts.
  if (!/[{}']/.test(text)) return () => text
  const message = parse(text, locale)
  return (values) => String(message.format(values))
}

const known = new Map<string, Formatters>()

/** Formats of a locale are made once: the library's own cache takes longer than the formatting. */
function formattersOf(locale: string): Formatters {
  const before = known.get(locale)
  if (before !== undefined) return before
  const numbers = new Intl.NumberFormat(locale)
  const plurals = new Intl.PluralRules(locale)
  const written = { format: remembered((count) => numbers.format(count)) } as Intl.NumberFormat
  const counted = { select: remembered((count) => plurals.select(count)) } as Intl.PluralRules
  const formatters: Formatters = {
    getNumberFormat: (_, options) =>
      options === undefined ? written : new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions),
    getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }),
    getPluralRules: (_, options) => (options?.type === 'ordinal' ? new Intl.PluralRules(locale, options) : counted),
  }
  known.set(locale, formatters)
  return formatters
}

const REMEMBERED_MAX = 1000

/** Intl takes half of the time of saying a plural, and most counts are small. */
function remembered<Text>(say: (count: number) => Text): (count: number) => Text {
  const said = new Map<number, Text>()
  return (count) => {
    const before = said.get(count)
    if (before !== undefined) return before
    const text = say(count)
    if (said.size < REMEMBERED_MAX) said.set(count, text)
    return text
  }
}
