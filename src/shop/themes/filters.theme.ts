import type { Liquid } from 'liquidjs'
import { htmlOf } from '#platform/text/safe-html.ts'
import type { ThemeFiles } from './files.ts'
import { formatsOf } from './formats.rules.ts'

/** What filters know of the visitor: the values that every template can read. */
export type Visited = { language: string; currency: string; base: string }

type FilterThis = { context: { globals: unknown } }

const FALLBACK = 'en'

/** The globals are those of every page, which always have these. */
function visitedOf({ context }: FilterThis): Visited {
  const read = (name: string) => String(Reflect.get(Object(context.globals), name) ?? '')
  return { language: read('language') || FALLBACK, currency: read('currency'), base: read('base') }
}

/** LiquidJS passes `count: 2` as a pair. */
function namedArguments(args: readonly unknown[]): Map<string, unknown> {
  return new Map(args.flatMap((arg) => (Array.isArray(arg) && arg.length === 2 ? [[String(arg[0]), arg[1]]] : [])))
}

/** Adds the filters that themes have beside those of Liquid itself. */
export function addFilters(engine: Liquid, { locales, assets }: ThemeFiles, folder: string): void {
  /** A text of the theme in the visitor's language, else in English. A key without any text is shown as it is. */
  function translate(this: FilterThis, key: unknown, ...args: unknown[]): string {
    const { language } = visitedOf(this)
    const named = namedArguments(args)
    for (const code of [language, language.split('-')[0] ?? '', FALLBACK]) {
      const texts = locales.get(code)
      const text = texts === undefined ? undefined : textOf(texts, String(key), named.get('count'), code)
      if (text !== undefined) return fillIn(text, named, code)
    }
    return String(key)
  }
  engine.registerFilter('t', translate)

  engine.registerFilter('money', function money(this: FilterThis, cents: unknown, currency?: unknown) {
    const visited = visitedOf(this)
    return formatsOf(visited.language).money(Number(cents), String(currency ?? visited.currency))
  })
  engine.registerFilter('date', function date(this: FilterThis, time: unknown, style?: unknown) {
    return formatsOf(visitedOf(this).language).date(time, style)
  })
  engine.registerFilter('duration', function duration(this: FilterThis, seconds: unknown) {
    return formatsOf(visitedOf(this).language).duration(Number(seconds))
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

/** The text of a key; with a count, the one of its plural category, or `zero` for none. */
function textOf(texts: ReadonlyMap<string, string>, key: string, count: unknown, language: string): string | undefined {
  if (count === undefined) return texts.get(key)
  const none = Number(count) === 0 ? texts.get(`${key}.zero`) : undefined
  if (none !== undefined) return none
  const category = formatsOf(language).plural(Number(count))
  return texts.get(`${key}.${category}`) ?? texts.get(`${key}.other`) ?? texts.get(key)
}

/** `{{ name }}` in a text stands for an argument of that name. */
function fillIn(text: string, named: ReadonlyMap<string, unknown>, language: string): string {
  return text.replace(/\{\{ ?(\w{1,40}) ?\}\}/g, (whole, name: string) => {
    const value = named.get(name)
    if (value === undefined || value === null) return whole
    return typeof value === 'number' ? formatsOf(language).number(value) : String(value)
  })
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

export function escapeHtml(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : String(value).replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
}
