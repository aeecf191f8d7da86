import { createOauth } from '#apps/oauth/resource.ts'
import { findAttempts } from '#apps/webhooks/deliveries/queries.ts'
import { webhooks } from '#apps/webhooks/resource.ts'
import { categories } from '#catalog/categories/resource.ts'
import { currencyRates } from '#catalog/currency-rates/resource.ts'
import { licenses } from '#catalog/licenses/resource.ts'
import { marketplace } from '#catalog/marketplace/resource.ts'
import { pictures } from '#catalog/pictures/resource.ts'
import { prices } from '#catalog/prices/resource.ts'
import { products } from '#catalog/products/resource.ts'
import { themeSettings } from '#catalog/theme-settings/resource.ts'
import { audit } from '#history/audit/resource.ts'
import { events } from '#history/events/resource.ts'
import { companies } from '#identity/companies/resource.ts'
import { mailTexts } from '#identity/mail-texts/resource.ts'
import { signIn } from '#identity/sign-in/resource.ts'
import { signingKeys } from '#identity/signing-keys/resource.ts'
import { createTestClocks } from '#identity/test-clocks/resource.ts'
import { users } from '#identity/users/resource.ts'
import { attention } from '#insight/attention/resource.ts'
import { readiness } from '#insight/readiness/resource.ts'
import { statistics } from '#insight/statistics/resource.ts'
import { findCounted } from '#insight/visits/queries.ts'
import { visits } from '#insight/visits/resource.ts'
import { audience } from '#people/audience/resource.ts'
import { createCustomers } from '#people/customers/resource.ts'
import { groups } from '#people/groups/resource.ts'
import { loginTokenGrant } from '#people/player-tokens/login-grant.commands.ts'
import { playerTokens } from '#people/player-tokens/resource.ts'
import { findWritten } from '#platform/mail/store.ts'
import type { Resource } from '#platform/resource.ts'
import { backups } from '#program/backups/resource.ts'
import { companyDeletion } from '#program/company-deletion/resource.ts'
import { erasures } from '#program/erasures/resource.ts'
import { exports } from '#program/exports/resource.ts'
import { FORGETTING } from '#program/forgetting.ts'
import { imports } from '#program/imports/resource.ts'
import { status } from '#program/status/resource.ts'
import { contentFiles } from '#rights/content-files/resource.ts'
import { contentKeys } from '#rights/content-keys/resource.ts'
import { deviceLicenses } from '#rights/device-licenses/resource.ts'
import { findEnded } from '#rights/entitlements/queries.ts'
import { entitlements } from '#rights/entitlements/resource.ts'
import { packing } from '#rights/packing/resource.ts'
import { playbacks } from '#rights/playbacks/resource.ts'
import { publications } from '#rights/publications/resource.ts'
import { readingLicenses } from '#rights/reading-licenses/resource.ts'
import { redemptionCodes } from '#rights/redemption-codes/resource.ts'
import { softwareKeys } from '#rights/software-keys/resource.ts'
import { stamping } from '#rights/stamping/resource.ts'
import { discountCodes } from '#selling/discount-codes/resource.ts'
import { createInvoices } from '#selling/invoices/resource.ts'
import { ledger } from '#selling/ledger/resource.ts'
import { orderTimeline } from '#selling/order-timeline/resource.ts'
import { fulfillments } from '#selling/orders/fulfillments/resource.ts'
import { createOrders } from '#selling/orders/resource.ts'
import { billOrder } from '#selling/payments/commands.ts'
import { findInstructions } from '#selling/payments/queries.ts'
import { payments } from '#selling/payments/resource.ts'
import { plans } from '#selling/plans/resource.ts'
import { reviews } from '#selling/reviews/resource.ts'
import { shippingMethods } from '#selling/shipping-methods/resource.ts'
import { findChangesOf } from '#selling/subscriptions/queries.ts'
import { subscriptions } from '#selling/subscriptions/resource.ts'
import { taxRates } from '#selling/tax-rates/resource.ts'
import { taxes } from '#selling/taxes/resource.ts'
import { customerSupport } from '#shop/account/resource.ts'
import { checkout } from '#shop/checkout/resource.ts'
import { mails } from '#shop/mails/resource.ts'
import { customerSignIn } from '#shop/sign-in/resource.ts'

/** Every resource, in the order of the API. A new one is registered here and nowhere else. */
export const RESOURCES: readonly Resource[] = [
  createOrders(billOrder),
  orderTimeline,
  payments,
  createInvoices(findInstructions),
  createCustomers(FORGETTING),
  entitlements,
  redemptionCodes,
  audience,
  groups,
  products,
  categories,
  pictures,
  contentFiles,
  readingLicenses,
  deviceLicenses,
  softwareKeys,
  themeSettings,
  licenses,
  prices,
  plans,
  discountCodes,
  subscriptions,
  reviews,
  shippingMethods,
  taxRates,
  taxes,
  currencyRates,
  fulfillments,
  marketplace,
  ledger,
  companies,
  createTestClocks({
    renewal_charged: findChangesOf('renewed'),
    renewal_failed: findChangesOf('charge_failed'),
    subscription_ended: findChangesOf('ended'),
    rental_ended: findEnded,
    mail_written: findWritten,
    webhook_attempt: findAttempts,
    day_closed: findCounted,
  }),
  users,
  mailTexts,
  mails,
  statistics,
  readiness,
  attention,
  webhooks,
  audit,
  createOauth([loginTokenGrant]),
  playerTokens,
  signIn,
  signingKeys,
  stamping,
  packing,
  contentKeys,
  publications,
  playbacks,
  customerSignIn,
  customerSupport,
  visits,
  checkout,
  events,
  imports,
  exports,
  companyDeletion,
  backups,
  status,
  erasures,
]
