import type { Liquid } from 'liquidjs'
import { type CompiledMessage, compileMessage, type MessageValues } from '#platform/text/icu.ts'
import { findMessage, isTranslated, localeOf } from '#platform/text/messages.ts'
import { htmlOf } from '#platform/text/safe-html.ts'
import { ThemeError, type ThemeFiles } from './files.ts'
import { dateIn, formatsOf, type Place } from './formats.rules.ts'

/** What filters know of the visitor: the values that every template can read. */
export type Visited = Place & { currency: string; base: string }

type FilterThis = { context: { globals: unknown } }

const FALLBACK = 'en'

/** The globals are those of every page, which always have these. */
function visitedOf({ context }: FilterThis): Visited {
  const read = (name: string) => String(Reflect.get(Object(context.globals), name) ?? '')
  return {
    language: read('language') || FALLBACK,
    country: read('country'),
    currency: read('currency'),
    base: read('base'),
  }
}

/** A value that a template leaves out is empty, because a page with a gap is better than none. */
const BLANK: object = new Proxy({}, { has: () => true, get: () => '' })

/** LiquidJS passes `count: 2` as a pair. */
function valuesOf(args: readonly unknown[]): MessageValues {
  const values: MessageValues = Object.create(BLANK)
  for (const arg of args)
    if (Array.isArray(arg) && arg.length === 2 && arg[1] !== undefined && arg[1] !== null)
      values[String(arg[0])] = typeof arg[1] === 'number' ? arg[1] : String(arg[1])
  return values
}

/** Finds the texts of a theme's own, which are parsed when they are first shown. */
function ownMessages(locales: ThemeFiles['locales']) {
  const compiled = new Map<string, CompiledMessage>()
  return (language: string, key: string): CompiledMessage | undefined => {
    const text = locales.get(language)?.get(key)
    if (text === undefined) return undefined
    const place = `${language} ${key}`
    const message = compiled.get(place) ?? compileOwn(text, language, key)
    compiled.set(place, message)
    return message
  }
}

/** A theme may have texts in languages that the service has none in. They count as their language does. */
function compileOwn(text: string, language: string, key: string): CompiledMessage {
  try {
    return compileMessage(text, isTranslated(language) ? localeOf(language) : language)
  } catch (cause) {
    const message = `${key} is not a message: ${cause instanceof Error ? cause.message : ''}`
    throw new ThemeError({ file: `locales/${language}.json`, line: undefined, message }, cause)
  }
}

/** Adds the filters that themes have beside those of Liquid itself. */
export function addFilters(engine: Liquid, { locales, assets }: ThemeFiles, folder: string): void {
  const findOwn = ownMessages(locales)

  /** A text in the visitor's language, else in English; the theme's own goes first. A key without any is shown as it is. */
  function translate(this: FilterThis, key: unknown, ...args: unknown[]): string {
    const { language } = visitedOf(this)
    for (const code of [language, language.split('-')[0] ?? '', FALLBACK]) {
      const message = findOwn(code, String(key)) ?? findMessage(code, `pages.${String(key)}`)
      if (message !== undefined) return message(valuesOf(args))
    }
    return String(key)
  }
  engine.registerFilter('t', translate)

  engine.registerFilter('money', function money(this: FilterThis, cents: unknown, currency?: unknown) {
    const visited = visitedOf(this)
    return formatsOf(visited.language).money(Number(cents), String(currency ?? visited.currency))
  })
  engine.registerFilter('date', function date(this: FilterThis, time: unknown, style?: unknown) {
    return dateIn(visitedOf(this), time, style)
  })
  engine.registerFilter('duration', function duration(this: FilterThis, seconds: unknown) {
    return formatsOf(visitedOf(this).language).duration(Number(seconds))
  })
  engine.registerFilter('bytes', function bytes(this: FilterThis, count: unknown) {
    return formatsOf(visitedOf(this).language).bytes(Number(count))
  })
  engine.registerFilter('number', function number(this: FilterThis, value: unknown) {
    return formatsOf(visitedOf(this).language).number(Number(value))
  })
  engine.registerFilter('shop_url', function shopUrl(this: FilterThis, path: unknown) {
    return `${visitedOf(this).base}${String(path)}`
  })
  engine.registerFilter('asset_url', (name: unknown) => {
    const asset = assets.get(String(name))
    if (asset === undefined) throw new Error(`the theme has no asset ${String(name)}`)
    return `/assets/themes/${folder}/${String(name)}?v=${asset.hash}`
  })
  // Only what the service has cleaned or made itself is inserted as it is; any other text is escaped here, too.
  engine.registerFilter('safe_html', { raw: true, handler: (value: unknown) => htmlOf(value) ?? escapeHtml(value) })
  // Liquid's own way around escaping would trust any text.
  engine.registerFilter('raw', (value: unknown) => value)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

export function escapeHtml(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : String(value).replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
}
