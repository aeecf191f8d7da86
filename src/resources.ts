import { audience } from '#audience/resource.ts'
import { audit } from '#audit/resource.ts'
import { categories } from '#categories/resource.ts'
import { checkout } from '#checkout/resource.ts'
import { companies } from '#companies/resource.ts'
import { contentFiles } from '#content-files/resource.ts'
import { currencyRates } from '#currency-rates/resource.ts'
import { customers } from '#customers/resource.ts'
import { discountCodes } from '#discount-codes/resource.ts'
import { entitlements } from '#entitlements/resource.ts'
import { events } from '#events/resource.ts'
import { imports } from '#imports/resource.ts'
import { invoices } from '#invoices/resource.ts'
import { ledger } from '#ledger/resource.ts'
import { licenses } from '#licenses/resource.ts'
import { marketplace } from '#marketplace/resource.ts'
import { createOauth } from '#oauth/resource.ts'
import { fulfillments } from '#orders/fulfillments/resource.ts'
import { orders } from '#orders/resource.ts'
import { payments } from '#payments/resource.ts'
import type { Resource } from '#platform/resource.ts'
import { loginTokenGrant } from '#player-tokens/login-grant.ts'
import { playerTokens } from '#player-tokens/resource.ts'
import { prices } from '#prices/resource.ts'
import { products } from '#products/resource.ts'
import { redemptionCodes } from '#redemption-codes/resource.ts'
import { shippingMethods } from '#shipping-methods/resource.ts'
import { signIn } from '#sign-in/resource.ts'
import { signingKeys } from '#signing-keys/resource.ts'
import { softwareKeys } from '#software-keys/resource.ts'
import { stamping } from '#stamping/resource.ts'
import { statistics } from '#statistics/resource.ts'
import { storefront } from '#storefront/resource.ts'
import { taxRates } from '#tax-rates/resource.ts'
import { taxes } from '#taxes/resource.ts'
import { themeSettings } from '#theme-settings/resource.ts'
import { users } from '#users/resource.ts'
import { visits } from '#visits/resource.ts'
import { webhooks } from '#webhooks/resource.ts'

/** Every resource, in the order of the API. A new one is registered here and nowhere else. */
export const RESOURCES: readonly Resource[] = [
  orders,
  payments,
  invoices,
  customers,
  entitlements,
  redemptionCodes,
  audience,
  products,
  categories,
  contentFiles,
  softwareKeys,
  themeSettings,
  licenses,
  prices,
  discountCodes,
  shippingMethods,
  taxRates,
  taxes,
  currencyRates,
  fulfillments,
  marketplace,
  ledger,
  companies,
  users,
  statistics,
  webhooks,
  audit,
  createOauth([loginTokenGrant]),
  playerTokens,
  signIn,
  signingKeys,
  stamping,
  storefront,
  visits,
  checkout,
  events,
  imports,
]
