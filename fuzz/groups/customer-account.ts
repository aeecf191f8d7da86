import { encryptLogin } from '#test/login-tokens.ts'
import type { CreateGroup } from '../group.ts'
import { hostileText } from '../hostile.ts'
import { CUSTOMER_PASSWORD, TYPED } from '../values.ts'
import { createWalkers } from '../walk.ts'

const PAGES = [
  '/account',
  '/account/orders',
  '/account/devices',
  '/account/sessions',
  '/account/email',
  '/account/password',
  '/account/subscriptions',
  '/account/subscriptions/1',
  '/account/subscriptions/1/means',
  '/account/subscriptions/1/plan',
  '/account/delete',
  '/account/export',
  ...Array<string>(8).fill('/my-content'),
  '/withdrawal',
  '/account/wish-list',
]
/** What the scripts of the player and of the reader send. */
const ACTIONS = ['play', 'progress', 'heartbeat', 'leave', 'start', 'read', 'download']
/** Parts of a protected film. Here none is packed, so every playback is one that there is not. */
const STREAM_PARTS = ['main.m3u8', '1-v.m3u8', '1-a0-init.mp4', '1-v-3.m4s', '1-3.key', '9-999999.key', '%00', '..%2fx']
const LANGUAGES = ['en', 'de']
/** Where a product is put on the wish list, and where it is reviewed. */
const pagesOf = (key: number) => [`/products/${key}`, `/products/${key}/review`]

/** Customers who are signed in look after their account, redeem codes, play and read what they have bought, and review it. */
export const customerAccount: CreateGroup = ({ scene: { shop }, random }) => {
  const { base, token, contentIds, contentKeys, codes, loginSecret, members, id } = shop
  let customers = 0
  const streamPart = () => {
    const playback = random.pick([
      '1',
      '0',
      '99999999999999999999',
      encodeURIComponent(hostileText(random, 40).toWellFormed()),
    ])
    return `${playback}/${random.pick(STREAM_PARTS)}`
  }
  const walk = createWalkers(random, {
    starts: () => `${base}${random.pick(PAGES)}`,
    forms: /\/(account|my-content|logout|withdrawal|subscriptions|review)\b/,
    values: { ...TYPED, code: codes, key: ['a'.repeat(64)] },
    browsers: 4,
    enter(browser) {
      customers += 1
      const email = `reader${customers}@example.com`
      members.push(email)
      const customer = { email, password: CUSTOMER_PASSWORD, first_name: 'Jane', last_name: 'Roe' }
      const content = { email, password: CUSTOMER_PASSWORD, language: random.pick(LANGUAGES) }
      const line_items = contentIds.map((product_id) => ({ product_id, license_id: 1 }))
      const order = { customer, line_items, customer_notification: 0 }
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = Buffer.from(JSON.stringify({ order }))
      return [
        { request: { method: 'POST', path: '/api/orders.json', headers, body } },
        browser.open(`/api/customers/login/${id}/${encryptLogin(loginSecret, content)}`),
      ]
    },
    leading: /review|wish-list/,
    extra(browser) {
      if (random.often(0.1)) return browser.open(`${base}${random.pick(contentKeys.flatMap(pagesOf))}`)
      const owned = browser.page?.links.flatMap((link) => /\/my-content\/(\d+)/.exec(link)?.[1] ?? []) ?? []
      if (owned.length === 0 || !random.often(0.3)) return undefined
      const fields = ['file', 'file_id', 'seconds', 'duration', 'client_time', 'place', 'fraction']
      const pairs = fields
        .filter(() => random.often(0.6))
        .map((name) => [name, random.often(0.6) ? String(random.below(1200)) : hostileText(random, 200).toWellFormed()])
      const path = `${base}/my-content/${random.pick(owned)}/${random.pick(ACTIONS)}`
      if (random.often(0.1)) return browser.open(`${base}/my-content/${random.pick(owned)}/stream/${streamPart()}`)
      return browser.send(path, Buffer.from(new URLSearchParams(pairs).toString()), {
        'content-type': 'application/x-www-form-urlencoded',
        accept: random.pick(['application/json', 'text/html']),
      })
    },
  })
  return {
    name: 'customer account',
    share: 8,
    next: walk,
    proofs: {
      'somebody had bought something': ({ path }, { status }) => path === '/api/orders.json' && status === 201,
      'somebody was let in': ({ path }, { status }) => path.startsWith('/api/customers/login/') && status === 303,
      'the account was shown': ({ method, path }, { status }) =>
        method === 'GET' && path.startsWith(`${base}/account`) && status === 200,
      'the content was shown': ({ method, path }, { status }) =>
        method === 'GET' && path.startsWith(`${base}/my-content`) && status === 200,
      'a code was redeemed or refused': ({ method, path }, { status }) =>
        method === 'POST' && path === `${base}/my-content/redeem` && [303, 422].includes(status),
      'a review was written or refused': ({ method, path }, { status }) =>
        method === 'POST' && path.endsWith('/review') && [200, 422].includes(status),
      'a wish was kept': ({ method, path }, { status }) =>
        method === 'POST' && path === `${base}/account/wish-list` && status === 303,
      'something was played or read': ({ method, path }, { status }) =>
        method === 'POST' && /\/my-content\/\d+\//.test(path) && [200, 204, 303].includes(status),
    },
  }
}
