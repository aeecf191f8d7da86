import type { StoredThemeLocale } from '#theme-settings/state.ts'

/** What a shop says, and the language that it says it in. */
export type Said = { text: string; language: string }

type TextName = Exclude<keyof StoredThemeLocale, 'id' | 'language'>

/** A browser names a handful of languages. */
const HEADER_MAX = 1000

/** The languages in an Accept-Language header (RFC 9110), lower-case, the dearest first; those with a weight of 0 are left out. */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, HEADER_MAX)
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [, language, weight] = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(part) ?? []
      const value = weight === undefined ? 1 : Number(weight)
      return language === undefined || !(value > 0) ? [] : [{ language, value }]
    })
    .sort((a, b) => b.value - a.value)
    .map(({ language }) => language)
}

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** Which side of the page a language begins on. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(primary(language)) ? 'rtl' : 'ltr'
}

const primary = (language: string) => language.split('-')[0] ?? ''

/** The locales of a shop in the order in which a visitor is shown them: the own languages, English, then as they stand. */
export function inOrder(
  locales: readonly StoredThemeLocale[],
  accepted: readonly string[],
): readonly StoredThemeLocale[] {
  const wanted = [...accepted, 'en'].flatMap((asked) => [
    ...locales.filter(({ language }) => language === asked),
    ...locales.filter(({ language }) => primary(language) === primary(asked)),
  ])
  return [...new Set([...wanted, ...locales])]
}

/** Those in which the interface allows HTML. */
const HTML_TEXTS = new Set<TextName>(['shop_description', 'offline_message'])

/** The first of the locales that has the text; a language without texts of its own does not leave the page empty. */
export function saidIn(locales: readonly StoredThemeLocale[], name: TextName): Said | undefined {
  for (const { language, [name]: written } of locales) {
    const text = HTML_TEXTS.has(name) ? plainText(written) : written.trim()
    if (text !== '') return { text, language }
  }
  return undefined
}

const TAG = /(<[!/?a-z][^<>]*>)/i
const UNSEEN = new Set(['script', 'style', 'template', 'title'])
/** Those that end a line, and those that begin another paragraph. */
const LINE = new Set(['br', 'li', 'tr', 'dt', 'dd'])
const PARAGRAPH = new Set([
  ...['p', 'div', 'ul', 'ol', 'dl', 'table', 'blockquote', 'section', 'article', 'header', 'footer', 'hr', 'pre'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
])
const ENTITIES: Record<string, string> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    shy: '\u00ad',
    euro: '€',
    copy: '©',
    reg: '®',
  },
  ...{ hellip: '…', ndash: '–', mdash: '—', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”', rsquo: '’' },
  ...{
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
  },
}

/**
 * The words of an HTML text, with a line feed where a line ends and two between paragraphs. A text without tags stays as it is.
 * What comes out is text and has to be escaped: it may have signs in it that the HTML had spelt out.
 */
export function plainText(html: string): string {
  let unseen = ''
  const parts = html.split(TAG)
  const words = parts.map((part, index) => {
    // Between tags a line feed is a blank like any other; in a text that has none somebody meant it.
    if (index % 2 === 0) return unseen !== '' ? '' : parts.length > 1 ? part.replace(/\s+/g, ' ') : part
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(part)?.[1]?.toLowerCase() ?? ''
    const isEnd = part.startsWith('</')
    if (unseen !== '') {
      if (isEnd && name === unseen) unseen = ''
      return ''
    }
    if (!isEnd && UNSEEN.has(name)) unseen = name
    return LINE.has(name) ? '\n' : PARAGRAPH.has(name) ? '\n\n' : ''
  })
  return words
    .join('')
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, spelledOut)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function spelledOut(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ''
}

/** The host that a link leads to, for those who decide whether to follow it; undefined is a link that leads nowhere else. */
export function otherHost(address: string, host: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  return hostname === host ? undefined : hostname
}
