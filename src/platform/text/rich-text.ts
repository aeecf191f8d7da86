import { setImmediate } from 'node:timers/promises'
import type { IOptions, Tag, Transformer } from 'sanitize-html'

/** A text of an owner: as HTML that is safe to show, and as plain text. */
export type RichText = { html: string; text: string }

/** Tags that stand for a break, and how wide it is in plain text. */
const BREAKS: Record<string, string> = {
  ...Object.fromEntries('p div h3 h4 ul ol blockquote pre table'.split(' ').map((tag) => [tag, '\n\n'])),
  ...Object.fromEntries('br li tr hr'.split(' ').map((tag) => [tag, '\n'])),
}
const PHRASING = 'a b strong i em u s small sub sup code span'.split(' ')
const PARTS_OF_TABLES = ['thead', 'tbody', 'th', 'td']
/** The content of these tags is no text for readers. */
const SILENT =
  'script style textarea option select noscript title head iframe object embed svg math template video audio canvas'
const LINKS = new Set(['http:', 'https:', 'mailto:'])
/** Smaller than the headings of the mail, because they stand below them. */
const HEADING = 'margin:16px 0 8px;font-size:16px;line-height:1.3'
const RULE = '1px solid rgba(128,128,128,.4)'

/** A link leads to a web page or a mailbox, by its whole address; what leads elsewhere is no link. */
const link: Transformer = (_tag, { href = '' }): Tag => {
  const url = URL.parse(href.trim())
  if (url === null || !LINKS.has(url.protocol)) return { tagName: 'a', attribs: {} }
  return { tagName: 'a', attribs: { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' } }
}

const styled =
  (tagName: string, style: string): Transformer =>
  () => ({ tagName, attribs: { style } })

/** A cell may span others, within reason. */
const cell: Transformer = (tagName, { colspan = '', rowspan = '' }) => ({
  tagName,
  attribs: {
    style: `padding:4px 8px;border:${RULE};text-align:left;vertical-align:top`,
    ...(/^[1-9]\d?$/.test(colspan) ? { colspan } : {}),
    ...(/^[1-9]\d?$/.test(rowspan) ? { rowspan } : {}),
  },
})

/**
 * A shop owner's part of a mail can have text, lists, tables and links. It has no pictures, which would tell their host
 * who opens the mail, and nothing that brings its own style, because the service sets the styles.
 */
const OPTIONS: IOptions = {
  allowedTags: [...Object.keys(BREAKS), ...PHRASING, ...PARTS_OF_TABLES],
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    th: ['style', 'colspan', 'rowspan'],
    td: ['style', 'colspan', 'rowspan'],
    ...Object.fromEntries(['h3', 'h4', 'table', 'pre'].map((tag) => [tag, ['style']])),
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: SILENT.split(' '),
  // Ours alone are left, and they need no reading.
  parseStyleAttributes: false,
  nestingLimit: 30,
  transformTags: {
    a: link,
    h1: styled('h3', HEADING),
    h2: styled('h3', HEADING),
    h3: styled('h3', HEADING),
    h4: styled('h4', HEADING),
    h5: styled('h4', HEADING),
    h6: styled('h4', HEADING),
    th: cell,
    td: cell,
    table: styled('table', 'margin:0 0 16px;border-collapse:collapse'),
    pre: styled('pre', 'white-space:pre-wrap'),
  },
}

/** Shops add the same few words to the mails of all their products, so the last short texts are kept. */
const known = new Map<string, RichText>()
const KNOWN_MAX = 500
const SHORT_LENGTH = 2000

/** Cleans HTML from a shop owner for a mail; both parts are empty if there is nothing to read. */
export async function richText(source: string): Promise<RichText> {
  const isShort = source.length <= SHORT_LENGTH
  const before = isShort ? known.get(source) : undefined
  if (before !== undefined) return before
  const part = await clean(source, isShort)
  if (known.size >= KNOWN_MAX) known.clear()
  if (isShort) known.set(source, part)
  return part
}

async function clean(source: string, isShort: boolean): Promise<RichText> {
  // Loaded with the first such text.
  const { default: sanitize } = await import('sanitize-html')
  // A body can contain megabytes of HTML in many texts; other requests get their turn between two of them.
  if (!isShort) await setImmediate()
  const html = sanitize(source, OPTIONS).trim()
  const text = readable(html)
  return text === '' ? { html: '', text } : { html, text }
}

/** The text of HTML from a shop owner. Without tags, line ends are meant as line breaks. */
export async function plainWords(written: string): Promise<string> {
  const html = /<[!/?a-z]/i.test(written) ? written : written.replace(/\r\n?|\n/g, '<br>')
  return written.trim() === '' ? '' : (await richText(html)).text
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

function decode(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** The words of clean HTML, with breaks where it has them, and addresses behind the words that lead there. */
function readable(html: string): string {
  let text = ''
  let isKept = 0
  const leads: string[] = []
  for (const [token, inside] of html.matchAll(/<([^<>]*)>|[^<]+/g)) {
    if (inside === undefined) {
      const words = decode(token).replace(/\u00a0/g, ' ')
      text += isKept > 0 ? words : words.replace(/[\s\p{Cc}]+/gu, ' ')
      continue
    }
    const opens = !inside.startsWith('/')
    const [tag = ''] = (opens ? inside : inside.slice(1)).split(' ', 1)
    if (tag === 'pre') isKept += opens ? 1 : -1
    if (tag === 'a' && opens) leads.push(decode(/ href="([^"]*)"/.exec(inside)?.[1] ?? ''))
    if (tag === 'a' && !opens) text += behind(text, leads.pop() ?? '')
    if (tag === 'li') text += opens ? '\n- ' : ''
    else if (tag === 'hr') text += '\n\n---\n\n'
    else if ((tag === 'td' || tag === 'th') && !opens) text += '  '
    else text += BREAKS[tag] ?? ''
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A link that says its own address needs no other word. */
function behind(text: string, href: string): string {
  const address = href.replace(/^mailto:/, '')
  return href === '' || text.endsWith(address) || text.endsWith(address.replace(/\/$/, '')) ? '' : ` (${address})`
}
