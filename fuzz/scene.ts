import { anEpub } from '#test/books.ts'
import { type FakeMollie, MOLLIE_KEY } from '#test/mollie.ts'
import { type FakeStripe, STRIPE_KEY, STRIPE_SIGNING } from '#test/stripe.ts'
import { someVideo } from '#test/uploads.ts'
import { csrfTokenOn, visit } from '#test/visitor.ts'
import type { Company, FuzzedService } from './service.ts'
import { CUSTOMER_PASSWORD } from './values.ts'

/** The cookies of a browser, and the CSRF token of its forms. */
export type SignedIn = { cookie: string; csrf: string }

/** A shop that sells something of every kind. No group changes it but by its pages, so it stays open. */
export type ShopScene = {
  id: number
  companyId: number
  /** The path of its pages. */
  base: string
  token: string
  /** The session of its owner. */
  cookie: string
  loginSecret: string
  categoryId: number
  productIds: string[]
  /** Those that are played, read or installed. */
  contentIds: string[]
  /** The same, as the addresses of their pages have them. */
  contentKeys: number[]
  codes: [string, ...string[]]
  discountCodes: string[]
  /** A group that people sign up to, by the month and by the year. */
  groupId: string
  /** A customer who is never deleted. */
  member: { email: string; token: string }
  /** The addresses of customers who have the usual password, some of whom were deleted meanwhile. */
  members: string[]
}

export type Scene = {
  url: string
  /** The first is that of the company that the requests of apps are about. */
  tokens: readonly string[]
  /** The owner of that company, who is signed in. */
  owner: SignedIn
  /** The addresses of the owner. Who changes the owner's permissions can do nothing any more, so nobody does. */
  ownerPaths: readonly string[]
  /** Somebody who has opened the sign-in page, and the owner in another browser. */
  users: readonly SignedIn[]
  shop: ShopScene
  stripe: FakeStripe
  mollie: FakeMollie
}

/** A browser that has opened the sign-in page, and has signed in if an account is given. */
async function createVisitor(url: string, account?: Pick<Company, 'email' | 'password'>): Promise<SignedIn> {
  const visitor = visit(url)
  let page = await visitor.get('/sign-in')
  if (account !== undefined) {
    const { email, password } = account
    await visitor.submit('/sign-in', { email, password })
    page = await visitor.get('/reset')
  }
  return { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '), csrf: csrfTokenOn(page) }
}

// biome-ignore lint/suspicious/noExplicitAny: the scene is read by name, and a missing part fails.
type Wire = any
type Call = (method: string, path: string, body?: object) => Promise<Wire>

function callerOf(url: string, headers: Record<string, string>): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

export async function createScene(service: FuzzedService): Promise<Scene> {
  const { url, companies } = service
  const [first, other, seller] = companies
  if (first === undefined || other === undefined || seller === undefined) throw new Error('three companies are needed')
  const scene = {
    url,
    tokens: [first.token, other.token],
    owner: await createVisitor(url, first),
    ownerPaths: await readOwnerPaths(url, first),
    users: [],
    shop: await openShop(url, seller),
    stripe: service.stripe,
    mollie: service.mollie,
  }
  return { ...scene, users: [await createVisitor(url), await createVisitor(url, first)] }
}

async function readOwnerPaths(url: string, { token }: Company): Promise<string[]> {
  const [user] = (await callerOf(url, { authorization: `Bearer ${token}` })('GET', '/api/users.json')).users
  return [user.id, user.token].map((ref) => `/api/users/${ref}.json`)
}

/** Signs users in again: forms can sign them out, and too many wrong passwords keep them out for a while. */
export async function renewUsers(service: FuzzedService, before: Scene): Promise<Partial<Scene>> {
  const {
    url,
    companies: [first],
  } = service
  const visitor = await createVisitor(url)
  const [owner, user] = await Promise.all([
    createVisitor(url, first).catch(() => before.owner),
    createVisitor(url, first).catch(() => visitor),
  ])
  return { owner, users: [visitor, user], tokens: (await service.renewTokens()).slice(0, 2) }
}

const METHODS = { enabled: true }

async function openShop(url: string, company: Company): Promise<ShopScene> {
  const { token, companyId } = company
  const { cookie } = await createVisitor(url, company)
  const api = callerOf(url, { authorization: `Bearer ${token}` })
  const admin = callerOf(url, { cookie, origin: url })
  const stripe = { ...METHODS, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }
  const mollie = { ...METHODS, secret_key: MOLLIE_KEY }
  await admin('PUT', '/admin/api/payment_settings.json', { payment_settings: { test: METHODS, stripe, mollie } })
  const [{ id }] = (await api('GET', '/api/themesettings.json')).ThemeSettings
  const texts = { imprint: '<p>Us</p>', terms: '<p>Fair ones</p>' }
  await api('PUT', `/api/themesettings/${id}.json`, {
    ThemeSetting: {
      newsletter_enabled: true,
      allow_reviews: true,
      locales: ['en', 'de'].map((language_id) => ({ language_id, shop_name: 'Tern', ...texts })),
    },
  })
  await api('POST', '/api/discount_codes.json', { discount_code: { code: 'SPRING', type: 'percentage', amount: 10 } })
  await api('POST', '/api/shipping_methods.json', { shipping_method: { title: 'Parcel', countries: ['DE', 'AT'] } })
  const { products, ...stocked } = await stock(url, api, admin, token)
  const [film, book, program] = products
  const codes: [string, ...string[]] = [await codeFor(api, film), await codeFor(api, book), await codeFor(api, program)]
  const groupId = await openClub(api, film)
  const customer = { email: 'member@example.com', password: CUSTOMER_PASSWORD, first_name: 'Jane', last_name: 'Roe' }
  const made = (await api('POST', '/api/customers.json', { customer })).customer
  return {
    id,
    companyId,
    base: `/shop/${id}`,
    token,
    cookie,
    codes,
    discountCodes: ['SPRING'],
    groupId,
    ...stocked,
    loginSecret: (await api('GET', `/api/companies/${companyId}.json`)).company.external_access_token,
    productIds: products.map(({ product_id }) => product_id),
    contentIds: [film, book, program].map(({ product_id }: Wire) => product_id),
    contentKeys: [film, book, program].map(({ id }: Wire) => id),
    member: { email: customer.email, token: made.token },
    members: [customer.email],
  }
}

/** A club with a film in it, and two plans at the price of the film. */
async function openClub(api: Call, { id, price_license_binding }: Wire): Promise<string> {
  const { group } = await api('POST', '/api/groups.json', { group: { kind: 'subscription', title: 'Tern Club' } })
  await api('PUT', `/api/products/${id}.json`, { product: { groups: [{ group_id: group.id }] } })
  const offered = { group_id: group.id, price_id: price_license_binding[0].price_id }
  await api('POST', '/api/plans.json', { plan: { ...offered, title: 'Monthly', interval: 'month', trial_days: 7 } })
  await api('POST', '/api/plans.json', { plan: { ...offered, title: 'Yearly', interval: 'year', minimum_periods: 1 } })
  return group.id
}

async function codeFor(api: Call, { product_id }: Wire): Promise<string> {
  const redemption_code = { product_id, license_id: BUY, uses: 1000 }
  return (await api('POST', '/api/redemption_codes.json', { redemption_code })).redemption_codes[0].code
}

const [FILM, PROGRAM, GOODS, BOOK] = [1, 4, 6, 16]
const [BUY, RENT] = [1, 2]

/** A film, a book, a program and goods, with the files that they have. */
async function stock(
  url: string,
  api: Call,
  admin: Call,
  token: string,
): Promise<{ categoryId: number; products: Wire[] }> {
  const currencies = [{ currency: 'eur', price: 1190 }]
  const { price } = await admin('POST', '/admin/api/prices.json', { price: { title: 'Any', currencies } })
  const { category } = await api('POST', '/api/categories.json', { category: { title: 'All' } })
  const sold = async (product_type: number, title: string, licenses: (number | undefined)[]) => {
    const price_license_binding = licenses.map((license_id) => ({
      price_id: price.id,
      ...(license_id && { license_id }),
    }))
    const categories = [{ category_id: category.id }]
    const attributes = { product_type, title, published: true, price_license_binding, categories }
    return (await api('POST', '/api/products.json', { product: attributes })).product
  }
  const products = [
    await sold(FILM, 'Tern Island', [BUY, RENT]),
    await sold(BOOK, 'A Book of Terns', [BUY]),
    await sold(PROGRAM, 'Tern Counter', [BUY]),
    await sold(GOODS, 'Mug', [undefined]),
  ]
  const files: [string, Buffer][] = [
    ['film.mp4', someVideo(5000)],
    ['book.epub', anEpub()],
    ['program.zip', Buffer.alloc(100)],
  ]
  for (const [index, [name, bytes]] of files.entries()) {
    const { product_id } = products[index]
    const { file } = await api('POST', '/api/files.json', { file: { product_id, name, size: bytes.length } })
    await send(new URL(file.upload_url, url), token, bytes)
  }
  return { categoryId: category.id, products }
}

/** Uploads a whole file by the tus protocol. */
async function send(url: URL, token: string, bytes: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', 'upload-offset': '0' }
  const type = { 'content-type': 'application/offset+octet-stream' }
  const { status } = await fetch(url, {
    method: 'PATCH',
    headers: { ...headers, ...type },
    body: new Uint8Array(bytes),
  })
  if (status !== 204) throw new Error(`an upload was answered ${status}`)
}
