import { anEmail } from '../customers.ts'
import type { Things } from './things.ts'

/** After the end of a month that has been paid. */
const IN_A_WHILE = new Date(Date.now() + 60 * 86_400_000).toISOString()

/** A change that every resource takes from its owner; each reads its own wrapper. */
export const OWN_CHANGE = {
  import: { left_out: [2] },
  license: { name: 'Changed' },
  price: { title: 'Changed', currencies: [{ currency: 'eur', price: 1 }] },
  bought_at: '2026-03-01',
  asked: { at: '2026-03-03', action: 'play' },
  market_offer: { cost_to_licensees_percent: 25 },
  review: { state: 'approved' },
  discount_code: { code: 'Changed', type: 'percentage', amount: 1 },
  shipping_method: { title: 'Changed' },
  tax_rate: { country_code: 'FR', percent: 1 },
  gift: { email: 'jane@example.com' },
  file: { name: 'changed.bin' },
  keys: ['Changed'],
  customer: { state: 'disabled', first_name: 'Changed' },
  order: { order_number: 'Changed', line_items: [{ product_id: 'Changed' }] },
  refund: { note: 'Changed', amount: 1 },
  address: { city: 'Changed' },
  subscriber: { email: 'changed@example.com', group_id: 's999' },
  group: { title: 'Changed', kind: 'access' },
  plan: { title: 'Changed' },
  subscription: { plan_id: 999_999 },
  pause: { until: IN_A_WHILE },
  extend: { until: IN_A_WHILE },
  plan_change: { plan_id: 999_999 },
  subscription_settings: { bill_days: 21 },
  groupmember: { email: 'changed@example.com', group_id: 'c999' },
  open: { product_id: 'Changed' },
  newsrecipient: { email: 'changed@example.com', state: 'unsubscribed' },
  product: { title: 'Changed' },
  category: { title: 'Changed' },
  move: { position: 0 },
  mail_texts: { texts: [{ name: 'subject', text: 'Changed' }] },
  preview: {},
  ThemeSetting: { html_tag: 'Changed' },
  fulfillment: { tracking_number: 'Changed' },
  user: { first_name: 'Changed' },
  company: { shop_active: false },
  payment_settings: { manual: { enabled: true } },
  invoice_settings: { prefix: 'A-' },
  sign_in_settings: { second_factor_required: false },
  app: { name: 'Changed' },
  rotation: {},
  access_token: { scopes: ['orders'] },
  webhook: { topic: 'order/create', address: 'https://example.com/changed' },
  replay: { from: '2000-01-01' },
  test: { topic: 'order/create' },
  note: { text: 'Own' },
  extension: { downloads: 1, reason: 'Own' },
}

/**
 * A body that every route takes that changes something. Codes are made for a product that is there, and people are invited by
 * an address that nobody has.
 */
export function bodyFor(
  method: string,
  { product, price, plan, app, customer, subscription: own }: Things,
): object | undefined {
  const { product_id } = product
  const user = method === 'POST' ? { email: anEmail() } : OWN_CHANGE.user
  const webhook = { ...OWN_CHANGE.webhook, app_id: app.id }
  const named = { user, webhook, redemption_code: { product_id }, file: { ...OWN_CHANGE.file, product_id } }
  const sold = { group_id: plan.group_id, title: 'Changed', price_id: price.id, interval: 'month' }
  const subscription = { plan_id: plan.id, customer_token: customer.token, paid: true }
  const signed = { plan: sold, subscription, plan_change: { plan_id: own.plan_id } }
  const price_change = { percent: 10, prices: [{ id: price.id }] }
  return method === 'POST' || method === 'PUT' ? { ...OWN_CHANGE, ...named, ...signed, price_change } : undefined
}
