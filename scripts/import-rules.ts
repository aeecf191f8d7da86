/**
 * Each folder may know those above it in this list, and those on its own line. A new folder takes its place here.
 */
export const ORDER: readonly (readonly string[])[] = [
  // The shell of pages: it knows no resource.
  ['pages'],
  ['events'],
  ['audit'],
  ['signing-keys'],
  ['stamping'],
  ['locales'],
  ['taxes'],
  ['addresses'],
  ['pictures'],
  ['companies'],
  ['theme-settings'],
  ['grants'],
  ['users'],
  ['sign-in'],
  ['oauth'],
  ['webhooks'],
  ['currency-rates'],
  ['prices'],
  ['licenses'],
  // A category shows its products and a product its categories.
  ['products', 'categories'],
  // Subscribers, group members and news recipients follow the customers that they are, and so does what they own.
  ['customers', 'audience', 'entitlements'],
  // Tokens with which apps act for customers.
  ['player-tokens'],
  ['software-keys', 'redemption-codes'],
  ['marketplace'],
  ['discount-codes', 'shipping-methods', 'tax-rates'],
  ['ledger'],
  ['content-files'],
  ['orders'],
  // Payments settle orders, and return the money of refunds. A bill says how to pay, and a payment leads to an invoice.
  ['payments', 'invoices'],
  // Remembers what other resources were imported as.
  ['imports'],
  ['storefront'],
  // The traffic of shops, which orders name.
  ['visits'],
  // The storefront's way to an order.
  ['checkout'],
  // What the folders above have counted.
  ['statistics'],
  ['demo'],
  ['boot'],
  ['command-line'],
]

/** These folders start the program, so they may know app.ts and worker.ts. */
export const PROGRAM = new Set(['boot', 'command-line'])

/** File names have no roles in folders that contain no resource. */
export const WITHOUT_ROLES = new Set([...PROGRAM, 'pages'])

/**
 * What a file in a resource folder may import, by its name. `resource` is what it may know of its own and lower
 * folders.
 */
export type Role = {
  packages: RegExp
  platform: RegExp
  /** Nothing of pages, unless it says so. */
  pages?: RegExp
  resource: RegExp
  ownOnly?: RegExp
  typesOnly?: true
}

const NOTHING = /^$/
const NOT_HTTP = /^(?!http\/)/

/** countries.ts, currencies.ts, languages.ts, rates.ts and topics.ts are tables of facts, as pure as a rule. */
export const ROLES: Record<string, Role> = {
  'schema.ts': { packages: /^typebox$/, platform: /^(wire|wire-schema)\.ts$/, resource: /^schema\.ts$/ },
  'routes.ts': {
    packages: /^(fastify|@fastify\/type-provider-typebox|typebox)$/,
    platform: /^(?!db\/|jobs\/)/,
    pages: /^/,
    resource: /^site\.ts$/,
    ownOnly: /^(?!routes)/,
  },
  // How the pages of a site are answered, for the routes of every folder that adds pages to it.
  'site.ts': {
    packages: /^(fastify|@fastify\/(cookie|accept-negotiator))$/,
    platform: /^(?!db\/|jobs\/)/,
    pages: /^/,
    resource: /^(state|site|shop-changes)\.ts$/,
    ownOnly: /^(?!routes|commands)/,
  },
  'queries.ts': {
    packages: /^(kysely|node:crypto)$/,
    platform: NOT_HTTP,
    resource: /^(queries|errors|rules|schema|scopes|state|topics)\.ts$/,
  },
  'commands.ts': {
    packages: /^(kysely|node:crypto)$/,
    platform: NOT_HTTP,
    resource: /^(?!(routes|present)\.ts$)/,
    ownOnly: /^present\.ts$/,
  },
  'rules.ts': {
    packages: NOTHING,
    platform:
      /^(problem|faults|wire|wire-schema|money|own-address|storable|tokenize|typed-codes|typed-entries|zip)\.ts$/,
    resource: /^(rules|errors|schema|scopes|state|countries|currencies|languages|rates|topics)\.ts$/,
  },
  'present.ts': {
    packages: NOTHING,
    platform: /^(wire|wire-schema|own-address)\.ts$/,
    resource: /^(present|rules|schema|state|countries|currencies|languages|rates)\.ts$/,
    ownOnly: /^names\.ts$/,
  },
  'views.ts': {
    packages: /^ghtml$/,
    platform: /^wire\.ts$/,
    pages: /^(form|layout|mark|times)\.ts$/,
    resource: /^(actions|rules|schema|scopes|state|views)\.ts$/,
    ownOnly: /^queries\.ts$/,
  },
  'jobs.ts': { packages: NOTHING, platform: /^(jobs\/(kinds|lanes)|origin)\.ts$/, resource: /^(jobs|state)\.ts$/ },
  'resource.ts': { packages: NOTHING, platform: /^/, resource: /^(?!routes\.ts$)/, ownOnly: /^routes\.ts$/ },
  'errors.ts': { packages: NOTHING, platform: /^problem\.ts$/, resource: NOTHING },
  'state.ts': { packages: NOTHING, platform: NOTHING, resource: /^(rules|schema|state)\.ts$/, typesOnly: true },
}

/** Files with a telling name of their own, by the role that each plays. */
export const TELLING_NAMES: Record<string, keyof typeof ROLES> = {
  'src/audience/filters.ts': 'queries.ts',
  'src/audience/follow.ts': 'commands.ts',
  'src/audience/newsletter/words.ts': 'rules.ts',
  'src/checkout/cart-routes.ts': 'routes.ts',
  'src/checkout/checkout-routes.ts': 'routes.ts',
  'src/checkout/details.ts': 'rules.ts',
  'src/checkout/order-routes.ts': 'routes.ts',
  'src/checkout/reminders/restore-routes.ts': 'routes.ts',
  'src/checkout/reminders/words.ts': 'rules.ts',
  'src/checkout/shopper.ts': 'site.ts',
  'src/checkout/vat-ids.ts': 'commands.ts',
  'src/companies/admin-routes.ts': 'routes.ts',
  'src/companies/settings.ts': 'commands.ts',
  'src/customers/accounts.ts': 'commands.ts',
  'src/customers/admin-routes.ts': 'routes.ts',
  'src/customers/disable.ts': 'commands.ts',
  'src/customers/relations.ts': 'commands.ts',
  'src/entitlements/rights/clauses.ts': 'rules.ts',
  'src/entitlements/rights/explain.ts': 'rules.ts',
  'src/entitlements/rights/periods.ts': 'rules.ts',
  'src/entitlements/rights/phrases/de.ts': 'rules.ts',
  'src/entitlements/rights/phrases/en.ts': 'rules.ts',
  'src/entitlements/rights/phrases/es.ts': 'rules.ts',
  'src/entitlements/rights/phrases/fr.ts': 'rules.ts',
  'src/entitlements/rights/phrases/it.ts': 'rules.ts',
  'src/entitlements/rights/phrases/phrases.ts': 'rules.ts',
  'src/entitlements/rights/phrases/pt.ts': 'rules.ts',
  'src/entitlements/rights/words.ts': 'rules.ts',
  'src/entitlements/alike.ts': 'queries.ts',
  'src/entitlements/release.ts': 'commands.ts',
  'src/entitlements/rows.ts': 'commands.ts',
  'src/entitlements/contents.ts': 'rules.ts',
  'src/events/dispatch.ts': 'commands.ts',
  'src/invoices/words.ts': 'rules.ts',
  'src/licenses/changes.ts': 'rules.ts',
  'src/oauth/apps.ts': 'commands.ts',
  'src/orders/bulk-insert.ts': 'commands.ts',
  'src/orders/cancel.ts': 'commands.ts',
  'src/orders/counts/fold.ts': 'commands.ts',
  'src/orders/counts/reset.ts': 'commands.ts',
  'src/orders/draft.ts': 'rules.ts',
  'src/orders/filters.ts': 'queries.ts',
  'src/orders/fulfillments/ship.ts': 'commands.ts',
  'src/orders/late-rates.ts': 'commands.ts',
  'src/orders/new-order.ts': 'commands.ts',
  'src/orders/order-number.ts': 'commands.ts',
  'src/orders/pricing.ts': 'rules.ts',
  'src/orders/quote.ts': 'queries.ts',
  'src/orders/sale-context.ts': 'queries.ts',
  'src/orders/sale-effects.ts': 'commands.ts',
  'src/orders/settle.ts': 'commands.ts',
  'src/orders/shares.ts': 'commands.ts',
  'src/orders/sold-rights.ts': 'rules.ts',
  'src/orders/totals.ts': 'rules.ts',
  'src/orders/withdrawals/consent.ts': 'rules.ts',
  'src/orders/withdrawals/words.ts': 'rules.ts',
  'src/payments/rows.ts': 'commands.ts',
  'src/payments/settings-routes.ts': 'routes.ts',
  'src/payments/settings.ts': 'commands.ts',
  'src/payments/webhook-routes.ts': 'routes.ts',
  'src/payments/words.ts': 'rules.ts',
  'src/player-tokens/words.ts': 'rules.ts',
  'src/products/appearance.ts': 'queries.ts',
  'src/products/changes.ts': 'rules.ts',
  'src/products/entries.ts': 'commands.ts',
  'src/products/filters.ts': 'queries.ts',
  'src/products/locales.ts': 'rules.ts',
  'src/products/mail-texts.ts': 'queries.ts',
  'src/products/parts.ts': 'rules.ts',
  'src/products/pictures.ts': 'rules.ts',
  'src/products/search-terms.ts': 'rules.ts',
  'src/redemption-codes/gifts/words.ts': 'rules.ts',
  'src/redemption-codes/redeem.ts': 'commands.ts',
  'src/software-keys/activate.ts': 'commands.ts',
  'src/theme-settings/accent.ts': 'rules.ts',
  'src/storefront/catalog/search.ts': 'queries.ts',
  'src/storefront/cookies.ts': 'site.ts',
  'src/storefront/install/manifest.ts': 'views.ts',
  'src/storefront/layout.ts': 'views.ts',
  'src/storefront/paths.ts': 'rules.ts',
  'src/storefront/login/words.ts': 'rules.ts',
  'src/storefront/my-content/preparing.ts': 'site.ts',
  'src/storefront/player/device.ts': 'site.ts',
  'src/storefront/player/subtitles.ts': 'rules.ts',
  'src/storefront/reader/frame-routes.ts': 'routes.ts',
  'src/storefront/sessions/words.ts': 'rules.ts',
  // A table of facts, such as the rates beside it.
  'src/taxes/vat-ids.ts': 'rates.ts',
  'src/taxes/vies.ts': 'commands.ts',
  'src/theme-settings/domains.ts': 'rules.ts',
  'src/visits/bulk-insert.ts': 'commands.ts',
  'src/visits/page-view.ts': 'routes.ts',
  'src/users/open-company.ts': 'commands.ts',
}

/** Any other name in a resource folder, such as pictures/fetch.ts. */
export const OTHER: Role = { packages: /^(?!fastify$|@fastify\/)/, platform: NOT_HTTP, resource: /^(?!routes\.ts$)/ }
