/**
 * How many statements a read sends, if it is more than one.
 *
 * Others see less of a product than its stored document, so a page of an offer is presented from the tables of products: the
 * offer, the ids of the page, and seven tables, however many products there are.
 */
export const STATEMENTS = new Map([
  ['/api/marketplace/:market_id.json', 9],
  // The offer says whose products they are.
  ['/api/market_offers/:id/takers.json', 2],
  // The time zone of the company says when a month begins; then what was booked with each company, and what it comes to.
  ['/api/ledger_statements/:month.json', 3],
  // One for each thing that a company needs, sent together.
  ['/api/readiness.json', 8],
  // One for each kind of thing, sent together; the two kinds of webhooks share theirs.
  ['/api/attention.json', 11],
  // The webhook says whose deliveries they are, and when they are sent again.
  // The customer or the entitlement says whose they are.
  ['/api/customers/:token/content.json', 2],
  ['/api/customers/:token/memberships.json', 2],
  ['/api/customers/:token/memberships/:group/products.json', 3],
  ['/api/orders/:id/invoices.json', 2],
  ['/api/subscriptions/:id/periods.json', 2],
  ['/api/subscriptions/:id/timeline.json', 2],
  // The subscription with its periods, the plan with its price, and everything that the sale of a period reads.
  ['/api/subscriptions/:id/plan_change.json', 24],
  ['/api/orders/:id/notes.json', 2],
  // The order with its parts, then each kind of thing that happened, sent together, and the names of who did it.
  ['/api/orders/:id/timeline.json', 13],
  // The order with its parts, its parcel, the sender and the recipient.
  ['/api/fulfillments/:token/packing_slip.pdf', 8],
  // The import, and the bytes of its file.
  ['/api/imports/:id/mistakes.csv', 2],
  ['/api/customers/:token/refusals.json', 2],
  ['/api/orders/:id/withdrawals.json', 2],
  ['/api/customers/:token/devices.json', 2],
  ['/api/customers/:token/devices/:id.json', 2],
  ['/api/entitlements/:id/uses.json', 2],
  ['/api/redemption_codes/:id/redemptions.json', 2],
  // The product, by one of its names, and its list.
  ['/api/products/:id/keys.json', 3],
  // The country of the company, and its own rates.
  ['/api/tax_table.json', 2],
  ['/api/products/:id/keys/count.json', 3],
  ['/api/entitlements/:id/files.json', 2],
  ['/api/entitlements/:id/reading_licenses.json', 2],
  ['/api/entitlements/:id/device_licenses.json', 2],
  ['/api/customers/:token/reading_passphrase.json', 2],
  ['/api/webhooks/:id/deliveries.json', 2],
  ['/api/webhooks/:id/deliveries/count.json', 2],
  ['/api/webhooks/:id/deliveries/:delivery_id.json', 2],
])
