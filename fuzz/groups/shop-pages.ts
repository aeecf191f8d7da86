import type { Random } from '#program/demo/random.ts'
import type { CreateGroup } from '../group.ts'
import { hostileText } from '../hostile.ts'
import { METHODS, strangeHeaders } from '../operations.ts'
import type { ShopScene } from '../scene.ts'

const PLAIN = [
  '/',
  '',
  '/search',
  '/search?q=tern',
  '/search/suggestions?q=te',
  '/cart',
  '/login',
  '/register',
  '/reset',
  '/withdrawal',
  '/withdrawal/received',
  '/cancellation',
  '/sample',
  '/newsletter/sent',
  '/sitemap.xml',
  '/robots.txt',
  '/manifest.webmanifest',
  '/sw.js',
  '/no-connection',
  '/icons/192.png',
  '/pages/imprint',
  '/pages/terms',
  '/my-content',
  '/account',
  '/checkout',
  '/checkout/pay',
]
const NAMED = [
  '/products/',
  '/categories/',
  '/pages/',
  '/icons/',
  '/orders/',
  '/login/',
  '/register/',
  '/customer/',
  '/cart/restore/',
  '/my-content/',
  '/account/orders/',
  '/handover/',
]
const QUERIES = ['q', 'after', 'order', 'token', 'return_to', 'refused', 'file', 'v']
const COOKIES = ['shop_preferences', 'cart', 'customer', 'licet_session', 'visitor', 'device']

function pathFor(random: Random, { base, productIds, categoryId }: ShopScene): string {
  if (random.often(0.45)) return `${base}${random.pick(PLAIN)}`
  if (random.often(0.4))
    return `${base}${random.pick([...productIds.map((id) => `/products/${id}`), `/categories/${categoryId}`])}`
  return `${base}${random.pick(NAMED)}${encodeURIComponent(hostileText(random, 300).toWellFormed()) || 'x'}`
}

/** The catalog and all other pages of a shop that are only looked at, with hostile names, queries, cookies and headers. */
export const shopPages: CreateGroup = ({ scene: { shop }, random }) => ({
  name: 'shop pages',
  share: 6,
  next() {
    const text = () => encodeURIComponent(hostileText(random, 300).toWellFormed())
    const words = ['film', 'tern island', 'mug', 'f', 'island -film "tern']
    const page = pathFor(random, shop)
    const query =
      random.often(0.5) && !page.includes('?')
        ? `?${random.pick(QUERIES)}=${random.often(0.3) ? random.pick(words) : text()}`
        : ''
    const headers: Record<string, string> = { ...strangeHeaders(random), accept: 'text/html' }
    if (random.often(0.3)) headers.cookie = `${random.pick(COOKIES)}=${text()}`
    if (random.often(0.2))
      headers['accept-language'] = random.pick(['de', 'xx-XX;q=9', '*', ','.repeat(500), 'de;q=NaN'])
    if (random.often(0.1)) headers['user-agent'] = random.pick(['', 'x'.repeat(2000), 'Googlebot', '%00'])
    if (random.often(0.1))
      headers.referer = random.pick(['x', 'https://a.example/?q=%ff', `https://${'a'.repeat(2000)}`])
    const method = random.often(0.9) ? 'GET' : random.pick(METHODS)
    return {
      request: {
        method,
        path: `${page}${query.replaceAll(' ', '+').replaceAll('"', '%22')}`,
        headers,
      },
    }
  },
  proofs: {
    'a page was shown': (_request, { status, headers }) =>
      status === 200 && headers.get('content-type')?.startsWith('text/html') === true,
    'a product was shown': ({ path }, { status }) => path.includes('/products/') && status === 200,
    'something was searched': ({ path }, { status }) =>
      path.includes('/search') && path.includes('q=') && status === 200,
    'a page was not found': (_request, { status }) => status === 404,
  },
})
