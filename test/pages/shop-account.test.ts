import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readMessages } from '#platform/text/messages.ts'
import { createReminderLinks } from '#shop/checkout/reminders/links.secrets.ts'
import { anEpub } from '../books.ts'
import { expectAccessible, screenshot, useBrowser } from '../browser.ts'
import { anEmail, CUSTOMER_PASSWORD } from '../customers.ts'
import { aSale } from '../entitlements.ts'
import { aPrice, aProduct, BUY, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { enterShop, ownedContent } from '../owned-content.ts'
import { offer, placeToPay } from '../payments.ts'
import { useShopPages } from '../shop-pages.ts'
import { STRIPE_KEY, useStripe } from '../stripe.ts'
import { signUp } from '../subscriptions.ts'
import { someVideo, upload } from '../uploads.ts'
import { carry, inspect, NARROWEST, press, watch } from './inspect.ts'
import { overflow } from './look.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })
const browser = useBrowser()
const pages = useShopPages(service)
const THEME = join(import.meta.dirname, '../../themes/default')

test('a customer signs in to a shop, and finds the account and My Content', async () => {
  const { shop, customer } = await aSale(service, { total_downloads: 3 }, {}, 1, { title: 'Tern Island' })
  const { body } = await shop.get('/api/themesettings.json')
  const watched = await watch(browser, `http://${body.ThemeSettings[0].id}.localhost:${new URL(service.url).port}`)
  const { page } = watched
  await page.goto('/my-content')
  await inspect(watched, 'shop-login', /^Sign in · /)
  await page.fill('#email', customer.email)
  await page.fill('#password', 'not the password')
  await press(page, 'button Sign in')
  const wrong = await inspect(watched, 'shop-login-wrong', /^Error: Sign in · /)
  assert.deepEqual(wrong.alerts, [
    'The email address or the password is wrong, or the password does not work in this shop. You can sign in with a link instead.',
  ])
  await page.fill('#password', CUSTOMER_PASSWORD)
  await press(page, 'button Sign in')
  assert.equal(new URL(page.url()).pathname, '/my-content')
  await inspect(watched, 'shop-content', /^My Content · /)
  await page.goto('/account')
  await inspect(watched, 'shop-account', /^Account · /)
  await page.goto('/account/sessions')
  await inspect(watched, 'shop-sessions', /^Where you are signed in · /)
})

/** Templates whose pages other tests look at, because there is more to do on them: by the name of the test. */
const LOOKED_AT: Record<string, readonly string[]> = {
  'shop-account': ['account', 'account-sessions', 'login', 'my-content'],
  storefront: ['category', 'home', 'not-found', 'offline', 'product', 'search'],
  checkout: ['cart', 'checkout', 'checkout-pay', 'order'],
  player: ['play', 'read'],
  library: ['my-content-membership'],
  membership: ['membership', 'membership-already', 'membership-join', 'membership-pay'],
}

/** How the pages of the other templates are opened: their paths, or what to do. */
type Opened = Record<string, string | ((page: Page) => Promise<void>)>

/** A customer with an order, a device and a film, and links in mails to people of all kinds. */
async function openedPages(): Promise<{ opened: Opened; customer: Wire }> {
  const { shop, base, comeIn, linkTo } = pages
  const id = Number(base.split('/').at(-1))
  const english = { language_id: 'en', imprint: '<p>Main Street 1, Berlin</p>' }
  const free = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 0 }] })
  const price_license_binding = [{ license_id: BUY, price_id: free.id }]
  const sample = await aProduct(shop, { title: 'Short film', published: true, price_license_binding })
  await upload(service, shop, sample, someVideo(), { role: 'main_sd' })
  const ThemeSetting = { locales: [english], sample_product_id: sample.id, allow_reviews: true }
  await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
  const film = await ownedContent(service, shop, { files: [{ bytes: someVideo(), name: 'film.mp4', role: 'main_sd' }] })
  const { customer } = film
  await shop.post(`/api/entitlements/${film.id}/use.json`, {
    use: { action: 'play', device: 'tv', name: 'Television' },
  })
  const [order] = (await shop.get('/api/orders.json')).body.orders
  await offer(service, shop, { stripe: { enabled: true, secret_key: STRIPE_KEY } })
  const { orderId } = await placeToPay(service, shop, customer, [film.product], 'Stripe', { theme_setting_id: id })
  const { checkout_token } = await service.db
    .selectFrom('orders')
    .select('checkout_token')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const [known, fresh] = [customer.email, anEmail()]
  const guest = comeIn()
  await guest.post(`${base}/login`, { email: known, decision: 'link' })
  const signIn = await linkTo(known, 'login')
  await guest.post(`${base}/reset`, { email: known })
  const reset = await linkTo(known, 'customer')
  await guest.post(`${base}/register`, { email: fresh, first_name: 'Jane', last_name: 'Roe' })
  const register = await linkTo(fresh, 'register')
  const { subscription, year, unpaid } = await aSubscription(customer)
  const opened = {
    'account-address': '/account/addresses/new',
    'account-delete': '/account/delete',
    'account-devices': '/account/devices',
    'account-email': '/account/email',
    'account-link': reset.slice(base.length),
    'account-name': '/account/name',
    'account-order': `/account/orders/${order.id}`,
    'account-orders': '/account/orders',
    'account-password': '/account/password',
    'account-subscription': `/account/subscriptions/${subscription.id}`,
    'account-subscription-means': `/account/subscriptions/${subscription.id}/means`,
    'account-subscription-plan': `/account/subscriptions/${subscription.id}/plan?plan=${year.id}`,
    'account-subscriptions': '/account/subscriptions',
    'account-wishes': '/account/wish-list',
    'cart-restore': await aLeftCart(sample),
    // It would lead away at once.
    continue: async (page: Page) => {
      await page.route('**/continue', async (route) => {
        const response = await route.fetch()
        const { refresh, ...headers } = response.headers()
        assert.match(refresh ?? '', /^0;url=https?:/)
        await route.fulfill({ response, headers })
      })
      await page.goto(`${base}/orders/${orderId}-${checkout_token}/continue`)
    },
    gift: await aGift(film.product),
    'link-invalid': `/login/${'a'.repeat(43)}`,
    'login-link': signIn.slice(base.length),
    'mail-sent': async (page: Page) => {
      await page.goto(`${base}/reset`)
      await page.fill('#email', anEmail())
      await press(page, 'button Send the link')
    },
    'my-content-item': `/my-content/${film.id}`,
    'no-connection': '/no-connection',
    page: '/newsletter/sent',
    preparing: await anAwaitedBook(customer),
    problem: `/pages/${'a'.repeat(41)}`,
    register: '/register',
    'register-password': register.slice(base.length),
    reset: '/reset',
    review: `/products/${film.product.id}/review`,
    sample: '/sample',
    'subscription-pay': `/subscriptions/${unpaid}`,
    text: '/pages/imprint',
    withdrawal: '/withdrawal',
    cancellation: '/cancellation',
  }
  return { opened, customer }
}

/** The customer is in a club with two plans, and has not paid the bill for another one. */
async function aSubscription({ token }: Wire) {
  const { shop, base } = pages
  const theme_setting_id = Number(base.split('/').at(-1))
  const price = await aPrice(service, shop, { currencies: [{ price: 790, currency: 'EUR' }] })
  const aPlan = async (group_id: string, interval: string): Promise<Wire> =>
    (
      await shop.post('/api/plans.json', {
        plan: { group_id, title: `Each ${interval}`, price_id: price.id, interval },
      })
    ).body.plan
  const aGroup = async (title: string): Promise<string> =>
    (await shop.post('/api/groups.json', { group: { kind: 'subscription', title } })).body.group.id
  const [club, readers] = [await aGroup('Kino Club'), await aGroup('Readers')]
  const [month, year, letter] = [await aPlan(club, 'month'), await aPlan(club, 'year'), await aPlan(readers, 'month')]
  const wish = { customer_token: token, theme_setting_id }
  const subscription = await signUp(shop, { ...wish, plan_id: month.id, paid: true })
  await offer(service, shop, { manual: { enabled: true } })
  const late = await signUp(shop, { ...wish, plan_id: letter.id })
  const order = await service.db
    .selectFrom('orders')
    .select(['id', 'checkout_token'])
    .where('subscription_id', '=', late.id)
    .where('company_id', '=', shop.companyId)
    .executeTakeFirstOrThrow()
  await offer(service, shop, { manual: { enabled: false } })
  return { subscription, year, unpaid: `${order.id}-${order.checkout_token}` }
}

/** The headings of a template in English, as proof that the page is its own; empty if they come from the model. */
async function headingsOf(name: string): Promise<string[]> {
  const source = await readFile(join(THEME, `templates/${name}.liquid`), 'utf8')
  const keys = [...source.matchAll(/<h1[^>]*>\{\{ '([\w.]+)' \| t/g)].map(([, key = '']) => key)
  return keys.length === 0 ? [''] : keys.map((key) => readMessages('en').get(`pages.${key}`) ?? key)
}

/** The path in the reminder of a cart that somebody left. */
async function aLeftCart({ product_id }: Wire): Promise<string> {
  const { shop, base, comeIn } = pages
  await comeIn().post(`${base}/cart`, { product_id })
  const carts = service.db.selectFrom('carts').select(['id', 'theme_setting_id'])
  const cart = await carts.where('company_id', '=', shop.companyId).orderBy('id', 'desc').executeTakeFirstOrThrow()
  const token = createReminderLinks(service.vault).cartToken(shop.companyId, cart.theme_setting_id, cart.id)
  return `/cart/restore/${token}`
}

/** The path in the mail of a gift. */
async function aGift({ product_id }: Wire): Promise<string> {
  const { shop, lastMailTo } = pages
  const { body } = await shop.post('/api/redemption_codes.json', { redemption_code: { product_id } })
  const [email, message] = [anEmail(), 'Dear Lena,\nhappy birthday']
  await shop.post(`/api/redemption_codes/${body.redemption_codes[0].id}/gift.json`, { gift: { email, message } })
  return /\/gifts\/\S+/.exec((await lastMailTo(email)).text ?? '')?.[0] ?? ''
}

/** The path of a book that a customer wants to read, of which no job has made the customer's copy yet. */
async function anAwaitedBook(customer: Wire): Promise<string> {
  const { shop, base } = pages
  const files = [{ bytes: anEpub(), name: 'book.epub' }]
  const { id } = await ownedContent(service, shop, { files, product: { product_type: 16 }, customer })
  await (await enterShop(service, shop, base, customer)).post(`${base}/my-content/${id}/read`, {})
  return `/my-content/${id}/read`
}

test('the page of every template can be read by everybody, also on the narrowest phone', async () => {
  const { opened, customer } = await openedPages()
  const names = await readdir(join(THEME, 'templates'))
  assert.deepEqual(
    [...Object.keys(opened), ...Object.values(LOOKED_AT).flat()].sort(),
    names.map((name) => name.replace('.liquid', '')).sort(),
  )
  const watched = await watch(browser, service.url)
  const { page } = watched
  await carry(watched, service.url, await pages.signIn(customer.email))
  for (const [name, open] of Object.entries(opened)) {
    if (typeof open === 'string') await page.goto(`${pages.base}${open}`)
    else await open(page)
    const [heading, headings] = [await page.innerText('h1'), await headingsOf(name)]
    assert.ok(
      headings.some((each) => heading.startsWith(each)),
      `${name}: ${page.url()}`,
    )
    await watched.withScript(() => expectAccessible(page))
    await page.setViewportSize(NARROWEST)
    assert.ok((await overflow(page)) <= 0, `${name} is too wide`)
    await screenshot(page, `template-${name}`)
  }
  watched.expectQuiet()
})

test('My Content says what to do without a connection, and keeps nothing of the customer', async () => {
  const { shop, customer } = await aSale(service, {}, {}, 1, { title: 'Tern Island' })
  const { body } = await shop.get('/api/themesettings.json')
  const baseURL = `http://${body.ThemeSettings[0].id}.localhost:${new URL(service.url).port}`
  const page = await browser.newPage({ baseURL })
  await page.goto('/login?return_to=/my-content')
  await page.fill('#email', customer.email)
  await page.fill('#password', CUSTOMER_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'My Content' }).waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await page.reload()
  await page.context().setOffline(true)
  await page.reload()
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'You are offline')
  assert.doesNotMatch(await page.content(), /Tern Island/)
  const kept = `caches.keys().then((names) => Promise.all(names.map(async (name) =>
    (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).then((all) => all.flat())`
  const paths = (await page.evaluate(kept)) as string[]
  assert.ok(paths.includes('/no-connection') && paths.some((path) => path.endsWith('shop.css')), paths.join())
  assert.deepEqual(
    paths.filter((path) => !/^\/(no-connection$|assets\/|icons\/)/.test(path)),
    [],
  )
  await page.context().setOffline(false)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/$/)
  await page.waitForFunction('caches.keys().then((names) => names.length === 0)')
})
