import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'

/** The endpoints of the interface that are served, in its order. */
const SERVED = [
  'GET /api/orders.json',
  'GET /api/orders/{id}.json',
  'GET /api/orders/count.json',
  'POST /api/orders.json',
  'PUT /api/orders/{id}.json',
  'DELETE /api/orders/{id}.json',
  'GET /api/customers.json',
  'GET /api/customers/search.json',
  'GET /api/customers/{token}.json',
  'POST /api/customers.json',
  'PUT /api/customers/{token}.json',
  'DELETE /api/customers/{token}.json',
  'GET /api/customers/count.json',
  'GET /api/customers/{token}/addresses.json',
  'GET /api/customers/{token}/addresses/{token}.json',
  'POST /api/customers/{token}/addresses.json',
  'PUT /api/customers/{token}/addresses/{token}.json',
  'DELETE /api/customers/{token}/addresses/{token}.json',
  'PUT /api/customers/{token}/addresses/{token}/default.json',
  'GET /api/products.json',
  'GET /api/products/count.json',
  'GET /api/products/{id}.json',
  'POST /api/products.json',
  'PUT /api/products/{id}.json',
  'DELETE /api/products/{id}.json',
  'GET /api/categories.json',
  'GET /api/categories/count.json',
  'GET /api/categories/{id}.json',
  'POST /api/categories.json',
  'POST /api/categories/{id}.json',
  'PUT /api/categories/{id}.json',
  'DELETE /api/categories/{id}.json',
  'GET /api/themesettings.json',
  'GET /api/themesettings/count.json',
  'GET /api/themesettings/{id}.json',
  'POST /api/themesettings.json',
  'PUT /api/themesettings/{id}.json',
  'DELETE /api/themesettings/{id}.json',
  'GET /api/licenses.json',
  'GET /api/licenses/{token}.json',
  'GET /api/licenses/count.json',
  'GET /api/prices.json',
  'GET /api/prices/{token}.json',
  'GET /api/prices/count.json',
  'GET /api/companies.json',
  'GET /api/companies/search.json',
  'GET /api/companies/{token}.json',
  'PUT /api/companies/{token}.json',
  'GET /api/companies/count.json',
  'GET /api/users.json',
  'GET /api/users/search.json',
  'GET /api/users/{token}.json',
  'POST /api/users.json',
  'PUT /api/users/{token}.json',
  'GET /api/users/count.json',
  'GET /api/fulfillments.json',
  'GET /api/fulfillments/count.json',
  'GET /api/fulfillments/open.json',
  'GET /api/fulfillments/complete.json',
  'GET /api/fulfillments/{token}.json',
  'PUT /api/fulfillments/{token}.json',
  'GET /api/marketplace.json',
  'GET /api/marketplace/{market_id}.json',
  'POST /api/marketplace/{market_id}/add.json',
  'POST /api/marketplace/{market_id}/activate.json',
  'GET /api/statistics/traffic/{company_id}.json',
  'GET /api/statistics/order/{company_id}.json',
  'GET /api/statistics/cart/{company_id}.json',
  'GET /api/statistics/order_devices/{company_id}.json',
  'GET /api/statistics/order_products/{company_id}.json',
  'GET /admin/webhooks.json',
  'GET /admin/webhooks/{id}.json',
  'POST /admin/webhooks.json',
  'PUT /admin/webhooks/{id}.json',
  'DELETE /admin/webhooks/{id}.json',
  'GET /api/tokeninfo',
]

/** The endpoints of authorization itself: their callers have no token yet. */
const SERVED_TO_ALL = ['GET /oauth2/auth', 'POST /token', 'GET /api/customers/login/{themesettings_id}/{login_token}']

/** Endpoints beyond the interface. Adding a line here is a promise to callers. */
const BEYOND = [
  'POST /api/themesettings/{id}/previews.json',
  'POST /api/orders/{id}/refunds.json',
  'POST /api/orders/{id}/refunds/calculate.json',
  'POST /api/orders/{id}/retry_refunds.json',
  'GET /api/orders/{id}/withdrawals.json',
  'POST /api/orders/{id}/send_confirmation.json',
  'POST /api/users/{token}/send_invitation.json',
  'POST /api/orders/{id}/mark_paid.json',
  'GET /api/orders/{id}/invoices.json',
  'POST /api/orders/{id}/invoice.json',
  'GET /api/orders/{id}/invoice.pdf',
  'GET /api/orders/{id}/invoices/{invoice_id}.pdf',
  'GET /api/orders/{id}/timeline.json',
  'GET /api/orders/{id}/notes.json',
  'POST /api/orders/{id}/notes.json',
  'DELETE /api/orders/{id}/notes/{note_id}.json',
  'POST /api/orders/calculate.json',
  'GET /api/fulfillments/{token}/packing_slip.pdf',
  'GET /api/payments.json',
  'GET /api/payments/count.json',
  'GET /api/payments/{id}.json',
  'POST /api/payments/{id}/resolve.json',
  'GET /api/customers/{token}/content.json',
  'GET /api/customers/{token}/refusals.json',
  'GET /api/customers/{token}/devices.json',
  'GET /api/customers/{token}/devices/{id}.json',
  'POST /api/customers/{token}/devices.json',
  'PUT /api/customers/{token}/devices/{id}.json',
  'DELETE /api/customers/{token}/devices/{id}.json',
  'POST /api/entitlements/{id}/extensions.json',
  'GET /api/entitlements.json',
  'GET /api/entitlements/count.json',
  'GET /api/entitlements/{id}.json',
  'GET /api/entitlements/{id}/explain.json',
  'GET /api/entitlements/{id}/uses.json',
  'GET /api/entitlements/{id}/file.json',
  'POST /api/entitlements/{id}/check.json',
  'POST /api/entitlements/{id}/use.json',
  'POST /api/entitlements/{id}/heartbeat.json',
  'POST /api/entitlements/{id}/release.json',
  'POST /api/entitlements/{id}/revoke.json',
  'POST /api/entitlements/{id}/restore.json',
  'GET /api/ledger_entries.json',
  'GET /api/ledger_entries/count.json',
  'GET /api/audit_entries.json',
  'GET /api/audit_entries/count.json',
  'GET /api/currency_rates.json',
  'POST /api/pictures.json',
  'GET /api/license_terms.json',
  'POST /api/license_terms.json',
  'POST /api/license_trials.json',
  'GET /api/licenses/uses.json',
  'GET /api/prices/uses.json',
  'POST /api/price_amounts.json',
  'GET /api/discount_codes.json',
  'GET /api/discount_codes/count.json',
  'GET /api/discount_codes/{id}.json',
  'POST /api/discount_codes.json',
  'PUT /api/discount_codes/{id}.json',
  'DELETE /api/discount_codes/{id}.json',
  'GET /api/reviews.json',
  'GET /api/reviews/count.json',
  'GET /api/reviews/{id}.json',
  'PUT /api/reviews/{id}.json',
  'DELETE /api/reviews/{id}.json',
  'GET /api/redemption_codes.json',
  'GET /api/redemption_codes/count.json',
  'GET /api/redemption_codes/{id}.json',
  'GET /api/redemption_codes/{id}/redemptions.json',
  'POST /api/redemption_codes.json',
  'PUT /api/redemption_codes/{id}.json',
  'DELETE /api/redemption_codes/{id}.json',
  'POST /api/redemption_codes/{id}/gift.json',
  'POST /api/redemption_codes/{id}/call_back.json',
  'POST /api/customers/{token}/redeem.json',
  'GET /api/shipping_methods.json',
  'GET /api/shipping_methods/count.json',
  'GET /api/shipping_methods/{id}.json',
  'POST /api/shipping_methods.json',
  'PUT /api/shipping_methods/{id}.json',
  'DELETE /api/shipping_methods/{id}.json',
  'GET /api/tax_rates.json',
  'GET /api/tax_rates/count.json',
  'GET /api/tax_rates/{id}.json',
  'POST /api/tax_rates.json',
  'PUT /api/tax_rates/{id}.json',
  'DELETE /api/tax_rates/{id}.json',
  'GET /api/webhooks.json',
  'GET /api/webhooks/{id}.json',
  'POST /api/webhooks.json',
  'PUT /api/webhooks/{id}.json',
  'DELETE /api/webhooks/{id}.json',
  'GET /api/webhooks/{id}/deliveries.json',
  'GET /api/webhooks/{id}/deliveries/count.json',
  'GET /api/webhooks/{id}/deliveries/{delivery_id}.json',
  'POST /api/webhooks/{id}/deliveries/{delivery_id}/replay.json',
  'POST /api/webhooks/{id}/replay.json',
  'POST /api/webhooks/{id}/test.json',
  'GET /api/subscribers.json',
  'GET /api/subscribers/count.json',
  'GET /api/subscribers/{id}.json',
  'POST /api/subscribers.json',
  'PUT /api/subscribers/{id}.json',
  'DELETE /api/subscribers/{id}.json',
  'GET /api/groupmembers.json',
  'GET /api/groupmembers/count.json',
  'GET /api/groupmembers/{id}.json',
  'POST /api/groupmembers.json',
  'PUT /api/groupmembers/{id}.json',
  'DELETE /api/groupmembers/{id}.json',
  'GET /api/newsrecipients.json',
  'GET /api/newsrecipients/count.json',
  'GET /api/newsrecipients/{id}.json',
  'POST /api/newsrecipients.json',
  'PUT /api/newsrecipients/{id}.json',
  'DELETE /api/newsrecipients/{id}.json',
  'GET /api/events.json',
  'GET /api/events/count.json',
  'GET /api/events/stream',
  'GET /api/files.json',
  'GET /api/files/count.json',
  'GET /api/files/{id}.json',
  'POST /api/files.json',
  'PUT /api/files/{id}.json',
  'DELETE /api/files/{id}.json',
  'GET /api/files/{id}/download',
  'GET /api/entitlements/{id}/key.json',
  'POST /api/entitlements/{id}/key/rotate.json',
  'POST /api/products/{id}/keys.json',
  'GET /api/products/{id}/keys/count.json',
  'GET /api/entitlements/{id}/files.json',
  'POST /api/entitlements/{id}/download.json',
  'GET /api/statistics/overview/{company_id}.json',
  'GET /api/readiness.json',
  'GET /api/attention.json',
  'GET /api/statistics/usage/{company_id}.json',
]

const allRoutes = collectRoutes()
const service = useService()

/** The name of a parameter does not matter to callers. */
function nameless(endpoint: string): string {
  return endpoint.replace(/\{\w+\}|:\w+/g, '*')
}

test('the endpoints of the interface are served', (context) => {
  const routes = new Set(allRoutes().map(({ method, url }) => nameless(`${method} ${url}`)))
  const isServed = (endpoint: string) => routes.has(nameless(endpoint))
  const served = [...SERVED, ...SERVED_TO_ALL]
  assert.deepEqual(
    served.filter((endpoint) => !isServed(endpoint)),
    [],
    'listed as served and not there',
  )
  assert.equal(served.length, 79, 'as many as the interface has')
  context.diagnostic(`${served.length} endpoints served`)
})

test('what is served beyond the interface is listed', () => {
  const own = allRoutes().filter(({ method, scopes }) => method !== 'HEAD' && scopes.length > 0)
  const known = new Set(SERVED.map(nameless))
  const beyond = own.map(({ method, url }) => `${method} ${url}`).filter((endpoint) => !known.has(nameless(endpoint)))
  assert.deepEqual(beyond.map(nameless).sort(), BEYOND.map(nameless).sort())
})

test('no endpoint is listed twice', () => {
  const all = [...SERVED, ...SERVED_TO_ALL, ...BEYOND]
  assert.equal(new Set(all).size, all.length)
})

// A route in the list could still be shadowed by another: a caller without a token gets as far as the door.
test('each served endpoint asks for a token', async () => {
  for (const endpoint of [...SERVED, ...BEYOND]) {
    const [method = '', path = ''] = endpoint.replace(/\{\w+\}/g, '1').split(' ')
    const body = method === 'POST' || method === 'PUT' ? {} : undefined
    assert.equal((await service.call(method, path, { body })).status, 401, endpoint)
  }
})
