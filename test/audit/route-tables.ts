import { ALL_SCOPES, type Scope } from '#oauth/scopes.ts'
import type { Things } from './things.ts'

/** Routes anyone may call. Adding a line here is a security decision: say why in the commit. */
export const PUBLIC = [
  'GET /',
  'GET /',
  'GET /*',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /api/customers/login/:themesettings_id/*',
  'GET /api/customers/login/:themesettings_id/:login_token',
  'GET /assets/accents/:file',
  'GET /assets/pages-*.css',
  'GET /assets/themes/:theme/:file',
  'GET /categories/:ref',
  'GET /customer/:token',
  'GET /docs',
  'GET /docs/',
  'GET /docs/*',
  'GET /files/:company/:id/:name',
  'GET /first-run/:token',
  'GET /health',
  'GET /invitation/:token',
  'GET /metrics',
  'GET /newsletter/confirm/:token',
  'GET /newsletter/sent',
  'GET /newsletter/unsubscribe/:token',
  'GET /oauth2/auth',
  'GET /oauth2/player',
  'GET /oauth2/player/:token',
  'GET /openapi.json',
  'GET /pictures/:company/:id/:file',
  'GET /products/:ref',
  'GET /ready',
  'GET /reset',
  'GET /reset/:token',
  'GET /robots.txt',
  'GET /search',
  'GET /search/suggestions',
  'GET /shop/:shop',
  'GET /shop/:shop/',
  'GET /shop/:shop/*',
  'GET /shop/:shop/categories/:ref',
  'GET /shop/:shop/newsletter/sent',
  'GET /shop/:shop/products/:ref',
  'GET /shop/:shop/robots.txt',
  'GET /shop/:shop/search',
  'GET /shop/:shop/search/suggestions',
  'GET /shop/:shop/sitemap.xml',
  'GET /sign-in',
  'GET /sign-in/second-factor',
  'GET /sign-out',
  'GET /sitemap.xml',
  'POST /api/keys/activate.json',
  'POST /api/keys/deactivate.json',
  'POST /api/keys/validate.json',
  'POST /customer/:token',
  'POST /first-run/:token',
  'POST /invitation/:token',
  'POST /newsletter',
  'POST /newsletter/confirm/:token',
  'POST /newsletter/unsubscribe/:token',
  'POST /oauth2/player',
  'POST /oauth2/player/:token',
  'POST /oauth2/revoke',
  'POST /payments/:company/stripe',
  'POST /preferences',
  'POST /reset',
  'POST /reset/:token',
  'POST /shop/:shop/newsletter',
  'POST /shop/:shop/preferences',
  'POST /sign-in',
  'POST /sign-in/second-factor',
  'POST /token',
]

/** Pages for whoever has signed in. */
export const WITH_SESSION = [
  'GET /account',
  'GET /account/activity',
  'GET /account/apps',
  'GET /account/second-factor',
  'POST /account',
  'POST /account/apps',
  'POST /account/second-factor',
  'POST /oauth2/auth',
  'POST /sign-out',
]

/** The scope that the interface asks for, by resource. */
export const SCOPES: Record<string, Scope[]> = {
  '/api/orders': ['orders'],
  '/api/payments': ['orders'],
  '/api/customers': ['customers'],
  '/api/entitlements': ['customers', 'player'],
  '/api/subscribers': ['customers'],
  '/api/groupmembers': ['customers'],
  '/api/newsrecipients': ['customers'],
  '/api/products': ['products'],
  '/api/categories': ['products'],
  '/api/files': ['files'],
  '/api/themesettings': ['themes'],
  '/api/licenses': ['products'],
  '/api/prices': ['products'],
  '/api/discount_codes': ['products'],
  '/api/redemption_codes': ['customers'],
  '/api/shipping_methods': ['products'],
  '/api/tax_rates': ['products'],
  '/api/currency_rates': ['products'],
  '/api/fulfillments': ['orders'],
  '/api/marketplace': ['products'],
  '/api/ledger_entries': ['orders'],
  '/api/companies': ['companies'],
  '/api/users': ['users', 'companies'],
  '/api/audit_entries': ['companies'],
  '/api/webhooks': ['webhooks'],
  '/api/events': ['webhooks'],
  '/admin/webhooks': ['webhooks'],
  '/api/tokeninfo': ALL_SCOPES,
}

/** What a customer owns is also there for the customer, and only the company takes it back. */
export const OTHER_SCOPES: Record<string, Scope[]> = {
  '/api/customers/:token/content.json': ['customers', 'player'],
  '/api/customers/:token/devices.json': ['customers', 'player'],
  '/api/customers/:token/redeem.json': ['customers', 'player'],
  '/api/customers/:token/devices/:id.json': ['customers', 'player'],
  '/api/entitlements/:id/key/rotate.json': ['customers'],
  '/api/entitlements/:id/revoke.json': ['customers'],
  '/api/entitlements/:id/restore.json': ['customers'],
}

/** What a shop has one of, by the path that leads to it: the paths that a stranger tries. A path may need two names. */
export const OWN: Record<string, (things: Things) => (number | string | (number | string)[])[]> = {
  '/api/orders/:id.json': ({ order }) => [order.id],
  '/api/orders/:id/refunds.json': ({ order }) => [order.id],
  '/api/orders/:id/retry_refunds.json': ({ order }) => [order.id],
  '/api/orders/:id/mark_paid.json': ({ order }) => [order.id],
  '/api/payments/:id.json': ({ payment }) => [payment.id],
  '/api/payments/:id/resolve.json': ({ payment }) => [payment.id],
  '/api/customers/:token.json': ({ customer }) => [customer.token, customer.token.toLowerCase(), customer.id],
  '/api/customers/:token/addresses.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/addresses/:id.json': ({ customer }) => [
    [customer.token, customer.addresses[0]!.id],
    [customer.id, customer.addresses[1]!.id],
  ],
  '/api/customers/:token/addresses/:id/default.json': ({ customer }) => [[customer.token, customer.addresses[1]!.id]],
  '/api/customers/:token/content.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/devices.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/devices/:id.json': ({ customer, device }) => [[customer.token, device.id]],
  ...Object.fromEntries(
    [
      '',
      '/check',
      '/use',
      '/heartbeat',
      '/release',
      '/explain',
      '/uses',
      '/revoke',
      '/restore',
      '/files',
      '/download',
      '/file',
    ].map((action) => [`/api/entitlements/:id${action}.json`, ({ entitlement }: Things) => [entitlement.id]]),
  ),
  '/api/subscribers/:id.json': ({ subscriber }) => [subscriber.id],
  '/api/groupmembers/:id.json': ({ groupMember }) => [groupMember.id],
  '/api/newsrecipients/:id.json': ({ newsRecipient }) => [newsRecipient.id],
  '/api/products/:id.json': ({ product }) => [product.id, product.product_id],
  '/api/categories/:id.json': ({ category }) => [category.id],
  '/api/files/:id.json': ({ file }) => [file.id],
  '/api/files/:id/download': ({ file }) => [file.id],
  '/api/themesettings/:id.json': ({ themeSetting }) => [themeSetting.id],
  '/api/licenses/:token.json': ({ license }) => [license.id],
  '/api/prices/:token.json': ({ price }) => [price.id],
  '/api/discount_codes/:id.json': ({ discountCode }) => [discountCode.id],
  '/api/shipping_methods/:id.json': ({ shippingMethod }) => [shippingMethod.id],
  '/api/entitlements/:id/key.json': ({ entitlement }) => [entitlement.id],
  '/api/entitlements/:id/key/rotate.json': ({ entitlement }) => [entitlement.id],
  '/api/products/:id/keys.json': ({ product }) => [product.id, product.product_id],
  '/api/products/:id/keys/count.json': ({ product }) => [product.id, product.product_id],
  '/api/redemption_codes/:id.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/redemptions.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/gift.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/call_back.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/customers/:token/redeem.json': ({ customer }) => [customer.token, customer.id],
  '/api/tax_rates/:id.json': ({ taxRate }) => [taxRate.id],
  '/api/fulfillments/:token.json': ({ order }) => [order.id],
  '/api/marketplace/:market_id.json': ({ marketId }) => [marketId],
  '/api/marketplace/:market_id/add.json': ({ marketId }) => [marketId],
  '/api/marketplace/:market_id/activate.json': ({ marketId }) => [marketId],
  '/api/companies/:token.json': ({ company }) => [company.id],
  '/api/users/:token.json': ({ user }) => [user.token, user.token.toLowerCase(), user.id],
  '/admin/webhooks/:id.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/replay.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/test.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/deliveries.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/deliveries/count.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/deliveries/:delivery_id.json': ({ webhook, delivery }) => [[webhook.id, delivery.id]],
  '/api/webhooks/:id/deliveries/:delivery_id/replay.json': ({ webhook, delivery }) => [[webhook.id, delivery.id]],
}

/** What a search has to be told to find what the shop has. */
export const ASKED: Record<string, (things: Things) => string> = {
  '/api/customers/search.json': ({ customer }) => `?query=email:${customer.email}`,
  '/api/users/search.json': ({ user }) => `?query=email:${user.email}`,
}

/** A change that every resource would take from its owner; each reads its own wrapper. */
export const CHANGE = {
  order: { order_number: 'Stolen', line_items: [{ product_id: 'Stolen' }] },
  refund: { note: 'Stolen' },
  customer: { first_name: 'Stolen' },
  address: { city: 'Stolen' },
  subscriber: { email: 'stolen@example.com', group_id: 's999' },
  groupmember: { email: 'stolen@example.com', group_id: 'c999' },
  newsrecipient: { email: 'stolen@example.com', state: 'unsubscribed' },
  product: { title: 'Stolen' },
  file: { name: 'stolen.bin', product_id: 'Stolen' },
  download: {},
  category: { title: 'Stolen' },
  ThemeSetting: { html_tag: 'Stolen' },
  discount_code: { code: 'Stolen', type: 'percentage', amount: 1 },
  shipping_method: { title: 'Stolen' },
  tax_rate: { country_code: 'FR', percent: 1 },
  redemption_code: { product_id: 'Stolen', note: 'Stolen' },
  gift: { email: 'stolen@example.com' },
  redeem: { code: 'STOLENSTOLENSTOL' },
  fulfillment: { tracking_number: 'Stolen' },
  company: { company_name: 'Stolen' },
  user: { first_name: 'Stolen' },
  webhook: { topic: 'order/create', address: 'https://example.com/stolen' },
  replay: { state: 'failed' },
  check: { action: 'play' },
  use: { action: 'play', device: 'stolen' },
  heartbeat: { device: 'stolen' },
  release: { device: 'own' },
  device: { device_id: 'stolen', name: 'Stolen' },
  test: { topic: 'order/create' },
  keys: ['Stolen'],
}

/** For partners only: what others get, and what partners do, is in the tests of companies. */
export const PARTNERS_ONLY = ['/api/companies/search.json']

/** Lists and counts that show the company that asks, or the user who opened it. */
export const OF_ONESELF = [
  '/api/companies.json',
  '/api/companies/count.json',
  '/api/users.json',
  '/api/users/count.json',
]

/** The same for every company. */
export const OF_ALL = ['/api/currency_rates.json', '/api/marketplace.json']

/** Below an entry of the marketplace, which is there for strangers: what they get and change is in its tests. */
export const FOR_STRANGERS = [
  '/api/marketplace/:market_id.json',
  '/api/marketplace/:market_id/add.json',
  '/api/marketplace/:market_id/activate.json',
]

/**
 * Others see less of a product than its stored document, so a page of an offer is presented from the tables of products: the
 * offer, the ids of the page, and seven tables, however many products there are.
 */
export const STATEMENTS = new Map([
  ['/api/marketplace/:market_id.json', 9],
  // The webhook says whose deliveries they are, and when they are sent again.
  // The customer or the entitlement says whose they are.
  ['/api/customers/:token/content.json', 2],
  ['/api/customers/:token/devices.json', 2],
  ['/api/customers/:token/devices/:id.json', 2],
  ['/api/entitlements/:id/uses.json', 2],
  ['/api/redemption_codes/:id/redemptions.json', 2],
  // The product, by one of its names, and its list.
  ['/api/products/:id/keys/count.json', 3],
  ['/api/entitlements/:id/files.json', 2],
  ['/api/webhooks/:id/deliveries.json', 2],
  ['/api/webhooks/:id/deliveries/count.json', 2],
  ['/api/webhooks/:id/deliveries/:delivery_id.json', 2],
])

/** Issues something each time, so it is no read. */
export const ISSUES = ['/api/entitlements/:id/file.json', '/api/entitlements/:id/key.json']

/** Shows what is general beside what is the company's own. */
export const ALSO_GENERAL = ['/api/licenses.json']
