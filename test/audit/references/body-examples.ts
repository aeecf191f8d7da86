import { anEmail, CUSTOMER_PASSWORD } from '../../customers.ts'
import { A_DEVICE_KEY } from '../strangers-change.ts'
import { withValue } from './body-values.ts'
import type { NamedCompany } from './named-company.ts'

const TERMS = { drm: 1, allow_play: 1 }
const TRIAL = { bought_at: '2026-03-01', asked: { at: '2026-03-03', action: 'play' } }

const lines = ({ documents }: NamedCompany) => [{ product_id: documents.order.line_items[0].product_id }]
const sale = (company: NamedCompany) => ({
  order: { customer_token: company.things.customer.token, line_items: lines(company) },
})
const lineOf = ({ documents }: NamedCompany) => ({ order: { line_items: [{ id: documents.order.line_items[0].id }] } })
const aPerson = () => ({ email: anEmail() })
let groups = 100
/** A group that nobody is in. */
const aGroup = (kind: 's' | 'c') => {
  groups += 1
  return `${kind}${groups}`
}
const terms = ({ things }: NamedCompany) => ({ license_id: things.license.id, price_id: things.price.id })

/** What an entry of a list needs beside the reference, by the path of the list. */
const ENTRIES: Record<string, (company: NamedCompany) => object> = {
  'product.price_license_binding[]': terms,
  'product.categories[]': ({ things }) => ({ category_id: things.category.id }),
  'product.themes[]': () => ({ theme_id: -1 }),
  'product.chapters[]': () => ({ name: 'New', runtime: 1 }),
  'product.included_products[]': ({ sold }) => ({ product_id: sold.product_id }),
  'product.locales[]': () => ({ language_id: 'en', title: 'New' }),
  'product.tagging_genre[]': () => ({ value: 'New' }),
  'product.tagging_studios[]': () => ({ value: 'New' }),
  'product.tagging_people[]': () => ({ role: 'New', person: 'New' }),
  'product.tagging_script[]': () => ({ person: 'New' }),
  'product.tagging_director[]': () => ({ person: 'New' }),
  'category.locales[]': () => ({ language: 'en', title: 'New' }),
  'category.entries[]': ({ documents }) => ({ product_id: documents.category.entries[0].product_id }),
  'license.locales[]': () => ({ language_id: 2, name: 'New' }),
  'license.restriction_country[]': () => ({ country_id: 'DE' }),
  'license.restriction_dvd_region[]': () => ({ dvd_region: 2 }),
  'ThemeSetting.locales[]': () => ({ language_id: 'en', shop_name: 'New' }),
  'ThemeSetting.menu[]': () => ({ locales: [{ language_id: 'en', title: 'New' }] }),
  'customer.addresses[]': () => ({ city: 'New', country: 'DE' }),
  'order.customer.addresses[]': () => ({ city: 'New', country: 'DE' }),
  'refund.refund_line_items[]': () => ({ quantity: 1 }),
}

/** Home pages have sections of several kinds. */
function sectionsAt(path: string): object | undefined {
  const kind = path.endsWith('home_sections[].category_id')
    ? 'category'
    : path.includes('home_sections[].product_ids')
      ? 'products'
      : undefined
  return kind === undefined ? undefined : { ThemeSetting: { home_sections: [{ kind }] } }
}

/** A variation is sold with what is chosen, and a license is tried by its id or by its terms. */
function exampleAt(path: string, company: NamedCompany): object | undefined {
  const { variation } = company
  if (path === 'order.line_items[].chosen_product_id')
    return {
      order: { customer_token: company.things.customer.token, line_items: [{ product_id: variation.product_id }] },
    }
  if (path === 'redemption_code.chosen_product_id') return { redemption_code: { product_id: variation.product_id } }
  if (path.startsWith('product.included_products')) return { product: { title: 'New', product_type: 21 } }
  if (path === 'license_id') return { ...TRIAL }
  return undefined
}

/** A body that the route takes from the company, once the reference at the path is in it. */
export function exampleFor(route: string, path: string, company: NamedCompany): object | undefined {
  const whole =
    (route.startsWith('PUT') ? undefined : exampleAt(path, company)) ?? sectionsAt(path) ?? EXAMPLES[route]?.(company)
  const [list = ''] = /^.*\[\](?=\.[a-z_]+$)/.exec(path) ?? []
  const entry = ENTRIES[list]?.(company)
  return entry === undefined ? whole : (withValue(whole, list, entry) as object)
}

/** What a route needs beside the reference. Where there is no entry, it needs nothing. */
const EXAMPLES: Record<string, (company: NamedCompany) => object> = {
  'POST /api/orders.json': sale,
  'POST /api/orders/calculate.json': sale,
  'PUT /api/orders/:id.json': lineOf,
  'POST /api/customers.json': () => ({ customer: { ...aPerson(), password: CUSTOMER_PASSWORD } }),
  'POST /api/users.json': () => ({ user: aPerson() }),
  'POST /api/subscribers.json': () => ({ subscriber: { ...aPerson(), group_id: aGroup('s') } }),
  'POST /api/groupmembers.json': () => ({ groupmember: { ...aPerson(), group_id: aGroup('c') } }),
  'POST /api/groups.json': () => ({ group: { kind: 'access', title: 'New' } }),
  'POST /api/plans.json': ({ things }) => ({
    plan: { group_id: things.plan.group_id, title: 'New', price_id: things.price.id, interval: 'year' },
  }),
  'POST /api/subscriptions.json': ({ things }) => ({
    subscription: { plan_id: things.plan.id, ...aPerson(), paid: true },
  }),
  'POST /api/subscriptions/:id/pause.json': () => ({ pause: { until: '2099-01-01' } }),
  'POST /api/subscriptions/:id/extend.json': () => ({ extend: { until: '2099-01-01' } }),
  'POST /api/subscriptions/:id/change_plan.json': ({ things }) => ({
    plan_change: { plan_id: things.subscription.plan_id },
  }),
  'POST /api/newsrecipients.json': () => ({ newsrecipient: aPerson() }),
  'POST /api/products.json': () => ({ product: { title: 'New', product_type: 1 } }),
  'POST /api/categories.json': () => ({ category: { title: 'New' } }),
  'POST /api/categories/:id.json': () => ({ category: { title: 'New' } }),
  'POST /api/categories/:id/move.json': () => ({ move: { position: 0 } }),
  'POST /api/files.json': () => ({ file: { name: 'new.mp4' } }),
  'POST /api/redemption_codes.json': ({ documents }) => ({
    redemption_code: { product_id: documents.order.line_items[0].product_id },
  }),
  'POST /api/redemption_codes/:id/gift.json': () => ({ gift: aPerson() }),
  'POST /api/shipping_methods.json': () => ({ shipping_method: { title: `By ${anEmail()}` } }),
  'POST /api/discount_codes.json': () => ({ discount_code: { code: anEmail(), type: 'percentage', amount: 1 } }),
  'POST /api/webhooks.json': () => ({ webhook: { topic: 'order/create', address: 'https://example.com/new' } }),
  'POST /admin/webhooks.json': () => ({ webhook: { topic: 'order/create', address: 'https://example.com/new' } }),
  'POST /api/licenses.json': () => ({ license: { name: 'New' } }),
  'POST /api/license_trials.json': () => ({ ...TRIAL, license: { name: 'New', ...TERMS } }),
  'POST /api/market_offers.json': () => ({ market_offer: { cost_to_licensees_percent: 20 } }),
  'POST /api/apps.json': () => ({ app: { name: 'New', redirect_uris: ['https://example.com/'], scopes: ['orders'] } }),
  'POST /api/price_changes.json': () => ({ price_change: { percent: 10 } }),
  'POST /api/price_changes/preview.json': () => ({ price_change: { percent: 10 } }),
  'PUT /api/imports/:id.json': () => ({ import: { kind: 'sales', matches: [{ name: 'A film' }] } }),
  'POST /api/entitlements/:id/device_license.json': () => ({
    device_license: { device: 'own', public_key: A_DEVICE_KEY },
  }),
  'POST /api/entitlements/:id/check.json': () => ({ check: { action: 'play' } }),
  'POST /api/entitlements/:id/use.json': () => ({ use: { action: 'play', device: 'own' } }),
}
