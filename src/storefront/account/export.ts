import { findCustomerDocument } from '#customers/queries.ts'
import type { SignedInCustomer } from '#customers/sessions/state.ts'
import { presentDevice } from '#entitlements/devices/present.ts'
import { listDevices } from '#entitlements/devices/queries.ts'
import { storedDocument, wholeDocument } from '#entitlements/present.ts'
import { listEntitlements, readEntitlements } from '#entitlements/queries.ts'
import { listOrders } from '#orders/queries.ts'
import { wholeDocument as wholeOrder } from '#orders/rules.ts'
import { presentWithdrawal } from '#orders/withdrawals/present.ts'
import { readWithdrawalsOfOrders } from '#orders/withdrawals/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { RowList } from '#platform/db/pages.ts'
import { asciiJson } from '#platform/wire.ts'

const PAGE = 250

/** All rows of a list, page by page. */
async function readAll<Row extends { id: number }>(list: RowList<Row>): Promise<Row[]> {
  const all: Row[] = []
  for (let more = true; more; ) {
    const rows = await list({ after: all.at(-1)?.id ?? 0, limit: PAGE, offset: 0 })
    more = rows.length > PAGE
    all.push(...rows.slice(0, PAGE))
  }
  return all
}

/** Everything that the company knows of a customer, as the API presents it: one JSON text. */
export async function exportCustomer(
  db: Db,
  companyId: number,
  customer: SignedInCustomer,
  now: Date,
): Promise<string> {
  const owner = { companyId, customerId: customer.id }
  const [document, orders, entitlements, devices] = await Promise.all([
    findCustomerDocument(db, companyId, customer.id),
    readAll(listOrders(db, companyId, { customer_token: customer.token })),
    readAll(listEntitlements(db, owner, {}, now)),
    readAll(listDevices(db, owner)),
  ])
  const owned = await readEntitlements(
    db,
    companyId,
    entitlements.map(({ id }) => id),
  )
  const withdrawals = await readWithdrawalsOfOrders(
    db,
    companyId,
    orders.map(({ id }) => id),
  )
  const parts = {
    customer: document ?? 'null',
    orders: `[${orders.map(wholeOrder).join()}]`,
    entitlements: `[${owned.map(({ entitlement, language }) => wholeDocument(entitlement, storedDocument(entitlement, language, now))).join()}]`,
    devices: `[${devices.map((device) => asciiJson(presentDevice(device))).join()}]`,
    withdrawals: asciiJson(withdrawals.map(presentWithdrawal)),
  }
  return `{${Object.entries(parts)
    .map(([name, json]) => `"${name}":${json}`)
    .join()}}`
}
