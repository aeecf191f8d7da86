import type { Node } from 'oxc-parser'
import { inOneLine, parse, readSources, type Source, templateText, textOf, type Violation, walk } from './source.ts'

/** The words of the shop, in the singular. A new resource adds its own. */
const SHOP_WORDS = new Set([
  'associate',
  'bundle',
  'buyer',
  'cart',
  'catalogue',
  'category',
  'checkout',
  'coupon',
  'customer',
  'discount',
  'entitlement',
  'fulfillment',
  'ledger',
  'license',
  'marketplace',
  'merchant',
  'newsletter',
  'order',
  'price',
  'product',
  'refund',
  'sale',
  'seller',
  'shipment',
  'shipping',
  'shop',
  'stock',
  'storefront',
  'subscriber',
  'tax',
  'theme',
  'webhook',
])

export type Exception = { path: string; word: string; because: string }

const SETTINGS = 'the list of settings describes the whole program to its operator'
const BROWSERS_THEME = 'browsers call the color of their frame so'
const OWN_ROUTE = 'the platform serves it itself'

const LIMITED_TO_ONE = 'what a caller may use is counted and kept for each customer whom it acts for'

/** Words and paths that platform may know. */
const EXCEPTIONS: readonly Exception[] = [
  {
    path: 'src/platform/identity/caller.ts',
    word: 'customer',
    because: 'a caller acts for a company or for one customer of it',
  },
  { path: 'src/platform/http/requests/authenticate.ts', word: 'customer', because: LIMITED_TO_ONE },
  { path: 'src/platform/http/requests/idempotency.ts', word: 'customer', because: LIMITED_TO_ONE },
  { path: 'src/platform/settings/config.ts', word: 'shop', because: SETTINGS },
  { path: 'src/platform/pages/layout.ts', word: 'theme', because: BROWSERS_THEME },
  { path: 'src/platform/text/safe-html.ts', word: 'theme', because: BROWSERS_THEME },
  { path: 'src/platform/pages/style.ts', word: `/assets/\${}-\${}.\${}`, because: OWN_ROUTE },
  { path: 'src/platform/http/health.ts', word: '/health', because: OWN_ROUTE },
  { path: 'src/platform/http/health.ts', word: '/metrics', because: OWN_ROUTE },
  { path: 'src/platform/http/health.ts', word: '/ready', because: OWN_ROUTE },
  { path: 'src/platform/http/openapi/openapi.ts', word: '/openapi.json', because: OWN_ROUTE },
  {
    path: 'src/platform/http/openapi/openapi.ts',
    word: 'license',
    because: 'OpenAPI calls the license of the software so',
  },
  { path: 'src/platform/http/openapi/reference-page.ts', word: '/docs', because: OWN_ROUTE },
  { path: 'src/platform/http/openapi/reference-page.ts', word: '/docs/', because: OWN_ROUTE },
  { path: 'src/platform/http/openapi/reference-page.ts', word: '/docs/*', because: OWN_ROUTE },
  { path: 'src/platform/http/openapi/reference-page.ts', word: '/openapi.json', because: OWN_ROUTE },
  {
    path: 'src/platform/http/openapi/reference-script.ts',
    word: '/js/scalar.js',
    because: 'the package serves it there',
  },
]

/** `categories` and `Prices` count as `category` and `price`. */
function singular(word: string): string {
  return word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
}

/** The words of an identifier or a text: `ordersOf`, `order_lines` and `the order` each contain the word order. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map(singular)
}

/** A name or a text in a file. Comments are none. */
type Token = { kind: 'name' | 'text' | 'regex'; text: string; line: number }

function tokenOf(node: Node): Omit<Token, 'line'> | undefined {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return { kind: 'name', text: node.name }
  if (node.type === 'Literal' && 'regex' in node) return { kind: 'regex', text: node.raw ?? '' }
  if (node.type === 'TemplateLiteral' || node.type === 'TSTemplateLiteralType')
    return { kind: 'text', text: templateText(node) }
  const text = textOf(node)
  return text === undefined ? undefined : { kind: 'text', text }
}

function tokensOf(source: Source): Token[] {
  const { program, lineOf } = parse(source)
  // The `a` of `{ a }` is two nodes, of the key and of the value.
  const tokens = new Map<number, Token>()
  walk(program, (node) => {
    const token = tokenOf(node)
    if (token !== undefined) tokens.set(node.start, { ...token, line: lineOf(node) })
  })
  return [...tokens.values()]
}

/** `order by` and `orderBy` sort rows, so they are no mention of an order. */
function shopWordsOf({ text }: Token): string[] {
  return wordsOf(text).filter(
    (word, at, words) => SHOP_WORDS.has(word) && !(word === 'order' && words[at + 1] === 'by'),
  )
}

/**
 * A text that begins like a path of the service, or a regular expression that looks for one. In db/ they are the
 * machine's.
 */
function pathsOf(path: string, { kind, text }: Token): string[] {
  if (path.startsWith('src/platform/db/')) return []
  if (kind === 'regex') return /\^\\\/\+?\(?[a-z?]/.test(text) ? [text] : []
  return kind === 'text' && /^\/[a-z]/.test(text) ? [text] : []
}

function isExcepted(path: string, word: string, { path: where, word: what }: Exception): boolean {
  return path === where && word === what
}

/** Everything in platform that knows the shop, a line each. */
export function checkPlatform(sources: Source[], exceptions: readonly Exception[] = EXCEPTIONS): string[] {
  const tokens = sources.flatMap((source) => tokensOf(source).map((token) => ({ path: source.path, token })))
  if (tokens.length === 0) return ['saw no word: it looked in the wrong place']
  const found = tokens.flatMap(({ path, token }) =>
    [...shopWordsOf(token), ...pathsOf(path, token)].map((word) => ({ path, line: token.line, word })),
  )
  const wrong = found
    .filter(({ path, word }) => !exceptions.some((exception) => isExcepted(path, word, exception)))
    .map(({ path, line, word }): Violation => ({ path, line, message: `knows ${word}: take it as an argument` }))
  const stale = exceptions.filter((exception) => !found.some(({ path, word }) => isExcepted(path, word, exception)))
  return [...wrong.map(inOneLine), ...stale.map(({ path, word }) => `${path} needs no exception for ${word} any more`)]
}

/** Tests drive the whole service, and the types of the tables are generated from the schema: neither is looked at. */
export async function checkPlatformOfProject(): Promise<string[]> {
  return checkPlatform(
    (await readSources(['src/platform/**/*.ts'])).filter(({ path }) => !/\.(test|gen)\.ts$/.test(path)),
  )
}
