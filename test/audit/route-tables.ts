import { ALL_SCOPES, type Scope } from '#apps/oauth/scopes.facts.ts'
import { STATISTICS_PATHS } from './statistics-routes.ts'
import type { Things } from './things.ts'

/** Pages for whoever has signed in. */
export const WITH_SESSION = ['GET /admin', 'GET /admin/*', 'POST /oauth2/auth', 'POST /sign-out']

/** The scope that the interface asks for, by resource. */
export const SCOPES: Record<string, Scope[]> = {
  '/api/orders': ['orders'],
  '/api/payments': ['orders'],
  '/api/customers': ['customers'],
  '/api/entitlements': ['customers', 'player'],
  '/api/subscribers': ['customers'],
  '/api/groups': ['customers'],
  '/api/plans': ['products'],
  '/api/subscriptions': ['orders'],
  '/api/groupmembers': ['customers'],
  '/api/newsrecipients': ['customers'],
  '/api/products': ['products'],
  '/api/categories': ['products'],
  '/api/pictures': ['products', 'themes'],
  '/api/imports': ['products'],
  '/api/files': ['files'],
  '/api/file_failures': ['files'],
  '/api/protected_publications': ['files'],
  '/api/themesettings': ['themes'],
  '/api/licenses': ['products'],
  '/api/license_terms': ['products'],
  '/api/license_trials': ['products'],
  '/api/price_amounts': ['products'],
  '/api/prices': ['products'],
  '/api/discount_codes': ['products'],
  '/api/reviews': ['products'],
  '/api/redemption_codes': ['customers'],
  '/api/shipping_methods': ['products'],
  '/api/tax_rates': ['products'],
  '/api/tax_table': ['products'],
  '/api/software_keys': ['products'],
  '/api/currency_rates': ['products'],
  '/api/fulfillments': ['orders'],
  '/api/marketplace': ['products'],
  '/api/market_products': ['products'],
  '/api/mirrored_products': ['products'],
  '/api/market_offers': ['products'],
  '/api/market_companies': ['products'],
  '/api/statistics': ['statistics'],
  '/api/mail_kinds': ['themes'],
  '/api/mails': ['customers'],
  '/api/ledger_entries': ['orders'],
  '/api/ledger_balances': ['orders'],
  '/api/ledger_statements': ['orders'],
  '/api/companies': ['companies'],
  '/api/test_clock': ['companies'],
  '/api/readiness': ['companies'],
  '/api/attention': ['companies'],
  '/api/users': ['users', 'companies'],
  '/api/audit_entries': ['companies'],
  '/api/webhooks': ['webhooks'],
  '/api/events': ['webhooks'],
  '/admin/webhooks': ['webhooks'],
  '/api/tokeninfo': ALL_SCOPES,
}

/** What a customer owns is also there for the customer, and only the company takes it back. */
export const OTHER_SCOPES: Record<string, Scope[]> = {
  '/api/mail_kinds/:kind/:language/preview.json': ['orders'],
  '/api/mail_kinds/:kind/:language/test.json': ['orders'],
  '/api/files/:id/download': ['files', 'player'],
  '/api/customers/:token/content.json': ['customers', 'player'],
  '/api/customers/:token/devices.json': ['customers', 'player'],
  '/api/customers/:token/reading_passphrase.json': ['customers', 'player'],
  '/api/customers/:token/redeem.json': ['customers', 'player'],
  '/api/customers/:token/memberships.json': ['customers', 'player'],
  '/api/customers/:token/memberships/:group/products.json': ['customers', 'player'],
  '/api/customers/:token/open.json': ['customers', 'player'],
  '/api/customers/:token/devices/:id.json': ['customers', 'player'],
  '/api/entitlements/:id/key/rotate.json': ['customers'],
  '/api/entitlements/:id/revoke.json': ['customers'],
  '/api/entitlements/:id/restore.json': ['customers'],
  '/api/entitlements/:id/extensions.json': ['customers'],
}

const ofDeviceLicense = ({ entitlement, deviceLicense }: Things) => [[entitlement.id, deviceLicense.id]]

/** What a shop has one of, by the path that leads to it: the paths that a stranger tries. A path may need two names. */
export const OWN: Record<string, (things: Things) => (number | string | (number | string)[])[]> = {
  '/api/orders/:id.json': ({ order }) => [order.id],
  '/api/orders/:id/refunds.json': ({ order }) => [order.id],
  '/api/orders/:id/refunds/calculate.json': ({ order }) => [order.id],
  '/api/orders/:id/retry_refunds.json': ({ order }) => [order.id],
  '/api/orders/:id/withdrawals.json': ({ order }) => [order.id],
  '/api/orders/:id/send_confirmation.json': ({ order }) => [order.id],
  '/api/orders/:id/mark_paid.json': ({ payment }) => [payment.order_id],
  '/api/orders/:id/invoices.json': ({ order }) => [order.id],
  '/api/orders/:id/invoice.json': ({ order }) => [order.id],
  '/api/orders/:id/invoice.pdf': ({ order }) => [order.id],
  '/api/orders/:id/invoices/:invoice_id.pdf': ({ order, invoice }) => [[order.id, invoice.id]],
  '/api/orders/:id/timeline.json': ({ order }) => [order.id],
  '/api/orders/:id/notes.json': ({ order }) => [order.id],
  '/api/orders/:id/notes/:note_id.json': ({ order, note }) => [[order.id, note.id]],
  '/api/payments/:id.json': ({ payment }) => [payment.id],
  '/api/payments/:id/resolve.json': ({ payment }) => [payment.id],
  '/api/customers/:token.json': ({ customer }) => [customer.token, customer.token.toLowerCase(), customer.id],
  '/api/customers/:token/state.json': ({ customer }) => [customer.token],
  '/api/customers/:token/login_link.json': ({ customer }) => [customer.token],
  '/api/customers/:token/send_sign_in_link.json': ({ customer }) => [customer.token],
  '/api/customers/:token/export.json': ({ customer }) => [customer.token],
  '/api/customers/:token/refusals.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/addresses.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/addresses/:id.json': ({ customer }) => [
    [customer.token, customer.addresses[0]!.id],
    [customer.id, customer.addresses[1]!.id],
  ],
  '/api/customers/:token/addresses/:id/default.json': ({ customer }) => [[customer.token, customer.addresses[1]!.id]],
  '/api/customers/:token/content.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/devices.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/reading_passphrase.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/devices/:id.json': ({ customer, device }) => [[customer.token, device.id]],
  ...Object.fromEntries(
    [
      '',
      ...'/check /use /heartbeat /release /explain /uses /revoke /restore /extensions /files /download /file /reading_license /reading_licenses /device_license /device_licenses'.split(
        ' ',
      ),
    ].map((action) => [`/api/entitlements/:id${action}.json`, ({ entitlement }: Things) => [entitlement.id]]),
  ),
  '/api/entitlements/:id/device_licenses/:license_id/refresh.json': ofDeviceLicense,
  '/api/entitlements/:id/device_licenses/:license_id/return.json': ofDeviceLicense,
  '/api/entitlements/:id/device_licenses/:license_id/tracks/:track': (things) => [
    [things.entitlement.id, things.deviceLicense.id, 'v'],
  ],
  '/api/subscribers/:id.json': ({ subscriber }) => [subscriber.id],
  '/api/groups/:id.json': ({ group }) => [group.id, group.id.toUpperCase()],
  '/api/plans/:id.json': ({ plan }) => [plan.id],
  ...Object.fromEntries(
    ['', '/periods', '/timeline', '/cancel', '/resume', '/pause', '/extend', '/change_plan', '/plan_change'].map(
      (action) => [`/api/subscriptions/:id${action}.json`, ({ subscription }: Things) => [subscription.id]],
    ),
  ),
  '/api/groupmembers/:id.json': ({ groupMember }) => [groupMember.id],
  '/api/newsrecipients/:id.json': ({ newsRecipient }) => [newsRecipient.id],
  '/api/products/:id.json': ({ product }) => [product.id, product.product_id],
  '/api/categories/:id.json': ({ category }) => [category.id],
  '/api/categories/:id/move.json': ({ category }) => [category.id],
  '/api/files/:id.json': ({ file }) => [file.id],
  '/api/files/:id/download': ({ file }) => [file.id],
  '/api/imports/:id.json': ({ csvImport }) => [csvImport.id],
  '/api/imports/:id/mistakes.csv': ({ csvImport }) => [csvImport.id],
  '/api/imports/:id/check.json': ({ csvImport }) => [csvImport.id],
  '/api/imports/:id/run.json': ({ csvImport }) => [csvImport.id],
  '/api/imports/:id/undo_preview.json': ({ csvImport }) => [csvImport.id],
  '/api/imports/:id/undo.json': ({ csvImport }) => [csvImport.id],
  '/api/themesettings/:id.json': ({ themeSetting }) => [themeSetting.id],
  '/api/themesettings/:id/previews.json': ({ themeSetting }) => [themeSetting.id],
  '/api/licenses/:token.json': ({ license }) => [license.id],
  '/api/prices/:token.json': ({ price }) => [price.id],
  '/api/discount_codes/:id.json': ({ discountCode }) => [discountCode.id],
  '/api/reviews/:id.json': ({ review }) => [review.id],
  '/api/shipping_methods/:id.json': ({ shippingMethod }) => [shippingMethod.id],
  '/api/entitlements/:id/key.json': ({ entitlement }) => [entitlement.id],
  '/api/entitlements/:id/key/rotate.json': ({ entitlement }) => [entitlement.id],
  '/api/products/:id/keys.json': ({ product }) => [product.id, product.product_id],
  '/api/products/:id/keys/:key_id.json': ({ product, key }) => [[product.id, key.id]],
  '/api/products/:id/keys/count.json': ({ product }) => [product.id, product.product_id],
  '/api/redemption_codes/:id.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/redemptions.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/gift.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/call_back.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/customers/:token/redeem.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/memberships.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/memberships/:group/products.json': ({ customer, group }) => [[customer.token, group.id]],
  '/api/customers/:token/open.json': ({ customer }) => [customer.token, customer.id],
  '/api/tax_rates/:id.json': ({ taxRate }) => [taxRate.id],
  '/api/fulfillments/:token.json': ({ order }) => [order.id],
  '/api/fulfillments/:token/packing_slip.pdf': ({ order }) => [order.id],
  '/api/market_products/:id.json': ({ marketProduct }) => [marketProduct.id],
  '/api/market_products/:id/add.json': ({ marketProduct }) => [marketProduct.id],
  '/api/market_products/:id/activate.json': ({ marketProduct }) => [marketProduct.id],
  '/api/market_offers/:id.json': ({ marketId }) => [marketId],
  '/api/market_offers/:id/takers.json': ({ marketId }) => [marketId],
  '/api/ledger_statements/:month.json': () => ['2026-03'],
  '/api/marketplace/:market_id.json': ({ marketId }) => [marketId],
  '/api/marketplace/:market_id/add.json': ({ marketId }) => [marketId],
  '/api/marketplace/:market_id/activate.json': ({ marketId }) => [marketId],
  '/api/companies/:token.json': ({ company }) => [company.id],
  '/api/users/:token/send_invitation.json': ({ invited }) => [invited.token],
  '/api/app_permissions/:id.json': ({ app }) => [app.id],
  '/api/apps/:id.json': ({ app }) => [app.id],
  '/api/apps/:id/access_tokens.json': ({ app }) => [app.id],
  '/api/apps/:id/rotate_secret.json': ({ app }) => [app.id],
  ...STATISTICS_PATHS,
  '/api/mail_kinds/:kind/:language.json': () => [['gift', 'de']],
  '/api/mail_kinds/:kind/:language/preview.json': () => [['order_confirmation', 'de']],
  '/api/mail_kinds/:kind/:language/test.json': () => [['order_confirmation', 'de']],
  '/api/mails/:id.json': ({ mail }) => [mail.id],
  '/api/mails/:id/retry.json': ({ mail }) => [mail.id],
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

/** What only apps call: it is about the app itself, or done by the player of a customer. */
export const APPS_ONLY = [
  'GET /entitlements/:id/device_licenses/:license_id/tracks/:track',
  'GET /entitlements/:id/file.json',
  'GET /events/stream',
  'GET /tokeninfo',
  'POST /customers/:token/devices.json',
  'POST /customers/:token/open.json',
  'POST /customers/:token/redeem.json',
  'POST /entitlements/:id/check.json',
  'POST /entitlements/:id/device_license.json',
  'POST /entitlements/:id/device_licenses/:license_id/refresh.json',
  'POST /entitlements/:id/device_licenses/:license_id/return.json',
  'POST /entitlements/:id/download.json',
  'POST /entitlements/:id/heartbeat.json',
  'POST /entitlements/:id/reading_license.json',
  'POST /entitlements/:id/release.json',
  'POST /entitlements/:id/use.json',
  'PUT /customers/:token/devices/:id.json',
]

/** What only signed-in users call: the interface lets apps read it, or does not have it. */
export const USERS_ONLY = [
  'DELETE /app_permissions/:id.json',
  'DELETE /company/deletion.json',
  'DELETE /licenses/:token.json',
  'DELETE /prices/:token.json',
  'DELETE /session.json',
  'DELETE /sessions.json',
  'GET /app_permissions.json',
  'GET /apps.json',
  'GET /apps/:id.json',
  'GET /backups.json',
  'GET /company.json',
  'GET /company/deletion.json',
  'GET /company/export.json',
  'GET /invoice_settings.json',
  'GET /payment_settings.json',
  'GET /second_factor.json',
  'GET /session.json',
  'GET /sessions.json',
  'GET /sign_in_settings.json',
  'GET /subscription_settings.json',
  'GET /user.json',
  'POST /apps.json',
  'POST /apps/:id/access_tokens.json',
  'POST /apps/:id/rotate_secret.json',
  'POST /backups.json',
  'POST /company/deletion.json',
  'POST /customers/:token/export.json',
  'POST /customers/:token/login_link.json',
  'POST /customers/:token/send_sign_in_link.json',
  'POST /gateway_connections.json',
  'POST /licenses.json',
  'POST /price_changes.json',
  'POST /price_changes/preview.json',
  'POST /prices.json',
  'POST /second_factor.json',
  'POST /second_factor/recovery_codes.json',
  'POST /second_factor/turn_off.json',
  'POST /second_factor/turn_on.json',
  'POST /session/switch.json',
  'PUT /apps/:id.json',
  'PUT /company.json',
  'PUT /customers/:token/state.json',
  'PUT /invoice_settings.json',
  'PUT /licenses/:token.json',
  'PUT /password.json',
  'PUT /payment_settings.json',
  'PUT /prices/:token.json',
  'PUT /sign_in_settings.json',
  'PUT /subscription_settings.json',
  'PUT /user.json',
]

/** About the sign-in of the user, who needs no permission for it. They are called in the tests beside them. */
export const OWN_SIGN_IN = [
  'DELETE /session.json',
  'DELETE /sessions.json',
  'GET /second_factor.json',
  'GET /session.json',
  'GET /sessions.json',
  'GET /user.json',
  'POST /second_factor.json',
  'POST /second_factor/recovery_codes.json',
  'POST /second_factor/turn_off.json',
  'POST /second_factor/turn_on.json',
  'PUT /password.json',
  'PUT /user.json',
]

/** Ends the access of the app by which the audit fills its shop, or the shop itself: they are called in the tests beside them. */
export const ENDS_ACCESS = [
  'DELETE /app_permissions/:id.json',
  'DELETE /company/deletion.json',
  'POST /company/deletion.json',
]

/** For partners only, or for sandboxes: what others get, and what they do, is in the tests beside them. */
export const PARTNERS_ONLY = ['/api/companies/search.json', '/api/test_clock.json']

/** Lists and counts that show the company that asks, or the user who opened it. */
export const OF_ONESELF = [
  '/api/mail_kinds.json',
  '/api/mails/refused_recipients.json',
  '/api/companies.json',
  '/api/companies/count.json',
  '/api/users.json',
  '/api/users/count.json',
  '/api/readiness.json',
  '/api/attention.json',
]

/** The same for every company, or what all others offer. */
export const OF_ALL = [
  '/api/currency_rates.json',
  '/api/marketplace.json',
  '/api/market_products.json',
  '/api/market_companies.json',
  '/api/tax_table.json',
]

/**
 * Below an entry or a product of the marketplace, which is there for strangers, or below a kind of mail or a month, of which every
 * company has its own: what they get and change is in their tests.
 */
export const FOR_STRANGERS = [
  '/api/mail_kinds/:kind/:language.json',
  '/api/mail_kinds/:kind/:language/preview.json',
  '/api/mail_kinds/:kind/:language/test.json',
  '/api/market_products/:id.json',
  '/api/market_products/:id/add.json',
  '/api/market_products/:id/activate.json',
  '/api/ledger_statements/:month.json',
  '/api/marketplace/:market_id.json',
  '/api/marketplace/:market_id/add.json',
  '/api/marketplace/:market_id/activate.json',
]

/** Issues something each time, so it is no read. */
export const ISSUES = [
  '/api/entitlements/:id/device_licenses/:license_id/tracks/:track',
  '/api/entitlements/:id/file.json',
  '/api/entitlements/:id/key.json',
]

/** Shows what is general beside what is the company's own. */
export const ALSO_GENERAL = ['/api/licenses.json', '/api/license_terms.json']
