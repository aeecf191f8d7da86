import type { Random } from '#program/demo/random.ts'
import { encryptLogin } from '#test/login-tokens.ts'
import type { CreateGroup } from '../group.ts'
import { hostileJson, hostileText } from '../hostile.ts'
import type { Scene, ShopScene } from '../scene.ts'
import { CUSTOMER_PASSWORD, someEmail } from '../values.ts'

/** OWN is the shop on the host of the service. On a host of the shop, a path after it begins with two slashes. */
const RETURNS = [
  '/',
  '/my-content',
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  'javascript:alert(1)',
  'OWN//evil.example/x',
  'OWN/.//evil.example/x',
]
const TIMES = ['2024-06-10T09:30:00+00:00', '2024-02-30', '', 'now', '9999-12-31T23:59:59Z']

/** A content that the service understands, but for an attribute or two. It is a JSON text. */
function contentFor(random: Random, { url, shop: { member, base } }: Pick<Scene, 'url' | 'shop'>): string {
  const attributes = new Map<string, string>()
  const put = (name: string, value: unknown) => attributes.set(name, JSON.stringify(value))
  if (random.often(0.2)) {
    put('email', someEmail(random))
    put('password', random.often(0.5) ? CUSTOMER_PASSWORD : hostileText(random, 200))
  } else put(random.pick(['token', 'customer_token']), random.often(0.85) ? member.token : hostileText(random, 60))
  if (random.often(0.6)) put('return_to', random.pick(RETURNS).replace('OWN', `${url}${base}`))
  if (random.often(0.3)) put('created_at', random.often(0.5) ? new Date().toISOString() : random.pick(TIMES))
  if (random.often(0.2)) put('first_name', random.often(0.5) ? 'Jane' : hostileText(random, 300))
  if (random.often(0.2)) put('language', random.pick(['en', 'de', 'xx', 'DE-de']))
  if (random.often(0.1)) put('remote_ip', random.pick(['127.0.0.1', '::1', 'x', '10.0.0.0/8']))
  if (random.often(0.1)) put('addresses', [{ country: 'DE', city: hostileText(random, 100) }])
  for (let count = random.pick([0, 0, 0, 1, 2]); count > 0; count -= 1) {
    const json = hostileJson(random)
    // An address is not longer than a header may be.
    if (json.length < 5000)
      attributes.set(random.pick([...attributes.keys(), 'addresses', 'return_to', '__proto__']), json)
  }
  return `{${[...attributes].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** A token that was damaged, cut, made with another secret, or that holds no object. */
function brokenToken(random: Random, { loginSecret }: ShopScene, whole: string): string {
  const bytes = Buffer.from(whole, 'base64url')
  return random.pick([
    () => whole.slice(0, random.below(whole.length)),
    () => `${whole.slice(0, 20)}${random.pick(['%00', '%', '..', '%2f', '~', '%ff'])}${whole.slice(21)}`,
    () => bytes.fill(random.below(256), random.below(bytes.length)).toString('base64url'),
    () => encryptLogin('another secret', '{}'),
    () => encryptLogin(loginSecret, random.pick(['', '[]', 'null', '{', '"a"', '1e400', '\0', '\ufeff{}'])),
    () => 'A'.repeat(random.pick([1, 86, 87, 5000, 15_000])),
    () => encodeURIComponent(hostileText(random, 500).toWellFormed()) || 'x',
  ])()
}

/** The address to which the site of a shop owner sends customers whom it knows already. */
export const loginTokens: CreateGroup = ({ scene: { url, shop }, random }) => {
  const spent: string[] = []
  return {
    name: 'login tokens',
    share: 4,
    next() {
      const made = encryptLogin(shop.loginSecret, contentFor(random, { url, shop }))
      const isBroken = random.often(0.25)
      const token = isBroken ? brokenToken(random, shop, made) : random.often(0.1) ? (spent.shift() ?? made) : made
      if (token === made && spent.length < 20) spent.push(made)
      const id = random.often(0.9)
        ? String(shop.id)
        : random.pick(['0', '1', '-1', '1e3', '99999999999999999', 'x', '%00'])
      const moved = random.often(0.4)
        ? `?moved=${random.pick(['1', '1', '1', '1', '', 'x', '12', '%00', '1&moved=1', 'x'.repeat(3000)])}`
        : ''
      const host = random.often(0.5) ? { host: `${shop.id}.localhost:${new URL(url).port}` } : {}
      const headers = { accept: 'text/html', 'accept-language': random.pick(['en', 'de', '*', ';;q=']), ...host }
      const method = random.often(0.97) ? 'GET' : random.pick(['HEAD', 'POST', 'OPTIONS'])
      return { request: { method, path: `/api/customers/login/${id}/${token}${moved}`, headers } }
    },
    proofs: {
      'somebody was let in': (_request, { status, headers }) => status === 303 && headers.get('set-cookie') !== null,
      'a token was refused': (_request, { status }) => status === 410,
    },
  }
}
