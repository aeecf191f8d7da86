import { listCategories } from '#catalog/categories/queries.ts'
import { listLicenses } from '#catalog/licenses/queries.ts'
import { listPrices } from '#catalog/prices/queries.ts'
import { listProducts } from '#catalog/products/queries.ts'
import { listThemeSettings } from '#catalog/theme-settings/queries.ts'
import { presentAuditEntry } from '#history/audit/present.ts'
import { listAuditEntries } from '#history/audit/queries.ts'
import { listUsers } from '#identity/users/queries.ts'
import { presentGroupMember } from '#people/audience/group-members/present.ts'
import { listGroupMembers } from '#people/audience/group-members/queries.ts'
import { presentNewsRecipient } from '#people/audience/news-recipients/present.ts'
import { listNewsRecipients } from '#people/audience/news-recipients/queries.ts'
import { presentSubscriber } from '#people/audience/subscribers/present.ts'
import { listSubscribers } from '#people/audience/subscribers/queries.ts'
import { listCustomers } from '#people/customers/lists/queries.ts'
import { presentGroup } from '#people/groups/present.ts'
import { listGroups } from '#people/groups/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { type DocumentList, type Page, type RowList, readPage } from '#platform/db/pages.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { presentStored } from '#rights/device-licenses/present.ts'
import { listAllDeviceLicenses } from '#rights/device-licenses/queries.ts'
import { documentsOf } from '#rights/entitlements/listed.queries.ts'
import { listEntitlements } from '#rights/entitlements/queries.ts'
import { presentRedemptionCode } from '#rights/redemption-codes/present.ts'
import { listRedemptionCodes } from '#rights/redemption-codes/queries.ts'
import { presentDiscountCode } from '#selling/discount-codes/present.ts'
import { listDiscountCodes } from '#selling/discount-codes/queries.ts'
import { listLedgerEntries } from '#selling/ledger/queries.ts'
import { listFulfillments } from '#selling/orders/fulfillments/queries.ts'
import { listOrders } from '#selling/orders/queries.ts'
import { wholeDocument } from '#selling/orders/rules.ts'
import { presentPayment } from '#selling/payments/present.ts'
import { listPayments } from '#selling/payments/queries.ts'
import { presentPlan } from '#selling/plans/present.ts'
import { listPlans } from '#selling/plans/queries.ts'
import { presentReview } from '#selling/reviews/present.ts'
import { listReviews } from '#selling/reviews/queries.ts'
import { presentShippingMethod } from '#selling/shipping-methods/present.ts'
import { listShippingMethods } from '#selling/shipping-methods/queries.ts'
import { presentSubscription } from '#selling/subscriptions/present.ts'
import { listSubscriptions } from '#selling/subscriptions/queries.ts'
import { presentTaxRate } from '#selling/tax-rates/present.ts'
import { listTaxRates } from '#selling/tax-rates/queries.ts'

/** A list of the export: its name in the file, and its pages. */
export type ExportedList = { name: string; read: (after: number) => Promise<Page> }

/** Entries that are read at once: what an export costs in memory. */
const BATCH = 100

function paged<Row extends { id: number }>(
  name: string,
  list: RowList<Row>,
  documentsOf: (rows: Row[]) => string[] | Promise<string[]>,
): ExportedList {
  return { name, read: (after) => readPage(list, documentsOf, { after, limit: BATCH, offset: 0 }) }
}

const stored = (name: string, list: DocumentList) => paged(name, list, (rows) => rows.map(({ document }) => document))

const presented = <Row extends { id: number }>(name: string, list: RowList<Row>, present: (row: Row) => object) =>
  paged(name, list, (rows) => rows.map((row) => asciiJson(present(row))))

/** All that a company has, in the lists and the field names of the API. The lists that an import takes come first. */
export function exportedLists(db: Db, companyId: number, now: Date): ExportedList[] {
  return [
    stored('licenses', listLicenses(db, companyId)),
    stored('prices', listPrices(db, companyId)),
    stored('categories', listCategories(db, companyId)),
    stored('products', listProducts(db, companyId, {})),
    presented('discount_codes', listDiscountCodes(db, companyId), presentDiscountCode),
    presented('shipping_methods', listShippingMethods(db, companyId), presentShippingMethod),
    presented('tax_rates', listTaxRates(db, companyId), presentTaxRate),
    stored('customers', listCustomers(db, companyId, {})),
    paged('orders', listOrders(db, companyId, {}), (rows) => rows.map(wholeDocument)),
    stored('fulfillments', listFulfillments(db, companyId, {})),
    presented('payments', listPayments(db, companyId, {}), presentPayment),
    paged('entitlements', listEntitlements(db, { companyId, customerId: null }, {}, now), (rows) =>
      documentsOf(db, companyId, rows, now),
    ),
    presented('device_licenses', listAllDeviceLicenses(db, companyId), presentStored),
    presented('redemption_codes', listRedemptionCodes(db, companyId), (code) => presentRedemptionCode(code, now)),
    presented('reviews', listReviews(db, companyId), presentReview),
    presented('subscribers', listSubscribers(db, companyId, {}, now), (row) => presentSubscriber(row, now)),
    presented('groups', listGroups(db, companyId), presentGroup),
    presented('plans', listPlans(db, companyId), presentPlan),
    presented('subscriptions', listSubscriptions(db, companyId, {}), presentSubscription),
    presented('groupmembers', listGroupMembers(db, companyId, {}, now), (row) => presentGroupMember(row, now)),
    presented('newsrecipients', listNewsRecipients(db, companyId, {}), presentNewsRecipient),
    stored('ledger_entries', listLedgerEntries(db, companyId, {})),
    stored('theme_settings', listThemeSettings(db, companyId)),
    stored('users', listUsers(db, companyId, {})),
    presented('audit_entries', listAuditEntries(db, companyId, {}), presentAuditEntry),
  ]
}
