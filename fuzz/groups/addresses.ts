import type { CreateGroup, FuzzRequest } from '../group.ts'
import { METHODS, strangeHeaders } from '../operations.ts'

/** Has the form of the address of a reading license. */
const NO_LICENSE = '00000000-0000-4000-8000-000000000000'

const ADDRESSES = [
  '/api',
  '/api/',
  '/api//products.json',
  '/api/products.json/',
  '/api2/products.json',
  '/api/%2e%2e/token',
  '/api/products/%00.json',
  '/api/products/%zz.json',
  '/%',
  '//',
  '/.well-known/x',
  '/docs/x',
  '/pictures/1000/1/..%2f..',
  '/pictures/a/b/c',
  '/assets/x.css',
  '/openapi.json?x',
  '/health',
  '/ready',
  '/metrics',
  '/favicon.ico',
  '/?',
  '/*',
  '/admin',
  '/oauth2/auth?client_id=%00',
  '/oauth2/auth?state=',
  '/account/activity',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/files/1000/1/x',
  '/files/x/%00/..%2f',
  '/invoices/1000/1/x',
  '/read/x',
  '/read/x/file',
  '/read/x/part?name=..',
  '/read/%00/parts',
  '/assets/reader/x/y',
  '/assets/themes/default/..%2fx',
  '/assets/themes/%00/x',
  '/assets/accents/x.css',
  '/shop',
  '/shop/',
  '/shop/%00',
  '/shop/0',
  '/shop/99999999999999999999',
  '/newsletter/confirm/x',
  '/newsletter/unsubscribe/%00',
  '/lcp/1000/x/status',
  '/lcp/%00/x/license.lcpl',
  '/lcp/1000/%zz/publication',
  '/lcp/-1/x/download',
  `/lcp/1000/${NO_LICENSE}/register?id=a&name=b`,
  `/lcp/99999999999999999999/${NO_LICENSE}/renew?end=x`,
  `/lcp/1000/${NO_LICENSE}/renew?id=%00&end=2099-01-01T00:00:00Z`,
  `/lcp/1000/${NO_LICENSE}/return?id=a&id=b`,
  `/lcp/1000/${NO_LICENSE}/status?${'x'.repeat(3000)}`,
  '/assets/player/x/hls.mjs',
  `/assets/player/${'x'.repeat(300)}/hls.mjs`,
  '/cart-reminders/stop/x',
  '/oauth2/player',
  '/oauth2/player/x',
  '/oauth2/player?client_id=x&company_id=-1',
]

const HOSTS = ['other.example', 'a', '[::1]', '.', 'x.localhost', `${'a'.repeat(300)}.example`, '127.0.0.1:0']

/** Addresses beside the API and the forms, with any method, host and header. */
export const addresses: CreateGroup = ({ scene, random }) => {
  // A short run sends so few that chance alone may find nothing.
  const first: FuzzRequest[] = [{ method: 'GET', path: '/health', headers: {} }]

  function anyAddress(): FuzzRequest {
    const [token = ''] = scene.tokens
    const headers: Record<string, string> = { ...strangeHeaders(random), authorization: `Bearer ${token}` }
    if (random.often(0.4)) headers.host = random.pick(HOSTS)
    if (random.often(0.5)) headers.accept = 'text/html'
    return { method: random.pick(METHODS), path: random.pick(ADDRESSES), headers }
  }

  return {
    name: 'addresses',
    share: 4,
    next: () => ({ request: first.pop() ?? anyAddress() }),
    proofs: {
      'an address was found': (_request, { status }) => status === 200,
      'an address was not found': (_request, { status }) => status === 404,
      'a method was refused': (_request, { status }) => status === 405,
    },
  }
}
