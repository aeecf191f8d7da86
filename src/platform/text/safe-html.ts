import type { IOptions, Transformer } from 'sanitize-html'

const HTML = Symbol('html')

/** HTML that a template may insert as it is. The key is a symbol, so that no stored or sent JSON can pass for it. */
export type SafeHtml = { readonly [HTML]: string; toJSON(): unknown }

/** Marks HTML that the service has made itself, or has cleaned. */
export function safeHtml(html: string): SafeHtml {
  // Without this, JSON, by which snippets are remembered, would say the same of all HTML.
  return { [HTML]: html, toJSON: () => ({ safe_html: html }) }
}

/** The HTML of a marked value; undefined for any other value. */
export function htmlOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(HTML in value)) return undefined
  const html: unknown = Reflect.get(value, HTML)
  return typeof html === 'string' ? html : undefined
}

const LINKS = new Set(['http:', 'https:', 'mailto:'])

/** A link has to be absolute: a relative one would mean another page on each address of the shop. */
const link: Transformer = (_tag, { href = '' }) => {
  const url = URL.parse(href.trim())
  if (url === null || !LINKS.has(url.protocol)) return { tagName: 'span', attribs: {} }
  return { tagName: 'a', attribs: { href: url.href, rel: 'noopener nofollow' } }
}

/** The page has its own headings above these. */
const heading =
  (tagName: string): Transformer =>
  () => ({ tagName, attribs: {} })

/**
 * Text, lists, tables and links. There are no pictures of other hosts, no styles and no forms: the policy of the page
 * would refuse them, and a form could ask for a password in the name of the shop.
 */
const OPTIONS: IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'blockquote',
    'pre',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'h3',
    'h4',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'caption',
    'a',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'small',
    'sub',
    'sup',
    'code',
    'span',
    'abbr',
    'q',
    'cite',
  ],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'iframe', 'object', 'svg', 'math', 'title'],
  parseStyleAttributes: false,
  nestingLimit: 30,
  transformTags: {
    a: link,
    h1: heading('h3'),
    h2: heading('h3'),
    h5: heading('h4'),
    h6: heading('h4'),
    div: heading('p'),
  },
}

/** These belong to the theme, or to browsers: an owner who changes them breaks the page or its policy. */
const OUR_NAMES = new Set(['referrer', 'viewport', 'color-scheme', 'theme-color', 'description'])

const META: IOptions = {
  allowedTags: ['meta'],
  allowedAttributes: { meta: ['name', 'property', 'content'] },
  disallowedTagsMode: 'discard',
  textFilter: () => '',
  exclusiveFilter: ({ attribs }) => {
    const name = attribs.name ?? attribs.property ?? ''
    return attribs.content === undefined || !/^[\w:.-]{1,100}$/.test(name) || OUR_NAMES.has(name.toLowerCase())
  },
}

/** Cleans the meta tags of a shop owner: names with contents, and nothing that acts as a header would. */
export async function cleanMetaTags(source: string): Promise<SafeHtml | undefined> {
  if (source.trim() === '') return undefined
  const { default: sanitize } = await import('sanitize-html')
  return safeHtml(sanitize(source, META))
}

/** The last cleaned texts are kept, because a page is asked for many times between two changes. */
const known = new Map<string, SafeHtml>()
const KNOWN_CHARACTERS_MAX = 4_000_000
let characters = 0

/** Cleans the HTML of a shop owner for a page; undefined if there is nothing to read. */
export async function cleanHtml(source: string): Promise<SafeHtml | undefined> {
  const clean = source.trim() === '' ? undefined : await cleanText(source)
  return clean === undefined || clean[HTML] === '' ? undefined : clean
}

async function cleanText(source: string): Promise<SafeHtml> {
  const before = known.get(source)
  if (before !== undefined) return before
  // Loaded with the first such text.
  const { default: sanitize } = await import('sanitize-html')
  const isHtml = /<[!/?a-z]/i.test(source)
  const html = sanitize(isHtml ? source : paragraphs(source), OPTIONS).trim()
  const clean = safeHtml(html)
  characters += source.length + html.length
  if (characters > KNOWN_CHARACTERS_MAX) {
    known.clear()
    characters = source.length + html.length
  }
  known.set(source, clean)
  return clean
}

/** Plain text shows its empty lines as paragraphs and its line ends as line breaks. */
function paragraphs(text: string): string {
  return text
    .replace(/&(?!\w+;)/g, '&amp;')
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => `<p>${paragraph.replace(/\r?\n/g, '<br>')}</p>`)
    .join('')
}
