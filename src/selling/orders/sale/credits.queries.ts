import type { Db } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { entitlementsOf, owned, whole } from '#rights/entitlements/queries.ts'
import type { OrderState } from '../state.ts'
import type { Keeps, PaidRental, RentalOwner, Rentals } from './credits.rules.ts'

/** Each rental counts for one line, the first that names it. In a sale, lock the customer first. */
export async function readRentals(db: Db, { owner, lines }: Keeps): Promise<Rentals> {
  const ids = [...new Set(lines.map(({ entitlementId }) => entitlementId))]
  const found = owner === undefined ? new Map<number, OwnedRental>() : await readPaidRentals(db, owner, ids)
  return new Map(
    lines.map(({ index, entitlementId }) => {
      const rental = found.get(entitlementId)
      found.delete(entitlementId)
      return [index, rental]
    }),
  )
}

/** `isOwned`: the customer has bought the same thing for good, too. */
export type OwnedRental = PaidRental & { isOwned: boolean }

/** What some entitlements of a customer cost, by their ids. Those of others, and those that were not bought, are left out. */
export async function readPaidRentals(
  db: Db,
  { companyId, customerId, orderIds }: RentalOwner,
  ids: readonly number[],
): Promise<Map<number, OwnedRental>> {
  const rows = await whole(
    entitlementsOf(db, companyId)
      .where('entitlements.customer_id', '=', customerId)
      .where('entitlements.id', '=', anyOf(ids)),
  )
    .innerJoin('orders', (join) =>
      join.onRef('orders.company_id', '=', 'entitlements.company_id').onRef('orders.id', '=', 'entitlements.order_id'),
    )
    .innerJoin('order_lines', (join) =>
      join
        .onRef('order_lines.company_id', '=', 'entitlements.company_id')
        .onRef('order_lines.id', '=', 'entitlements.line_id'),
    )
    .select([
      'orders.financial_status',
      'orders.cancelled_at',
      'orders.currency',
      'orders.total_cents',
      'orders.refunded_cents as returned_cents',
      'orders.test as was_test',
      'order_lines.product_key as line_key',
      'order_lines.product_id as line_product',
      'order_lines.quantity',
      'order_lines.net_cents',
      'order_lines.tax_cents',
      'order_lines.tax_rate',
      'order_lines.refunded_quantity',
      'order_lines.refunded_cents',
      condition`exists (select from order_lines as later where later.company_id = entitlements.company_id
        and later.credited_entitlement_id = entitlements.id)`.as('is_credited'),
      condition`exists (select from entitlements as other
        join order_lines as bought on bought.company_id = other.company_id and bought.id = other.line_id
        where other.company_id = entitlements.company_id and other.customer_id = entitlements.customer_id
          and other.product_id = entitlements.product_id and other.revoked is null and not bought.rental)`.as(
        'is_owned',
      ),
    ])
    .$narrowType<Pick<OrderState, 'financial_status'>>()
    .execute()
  return new Map(
    rows
      .filter(({ order_id }) => orderIds === null || (order_id !== null && orderIds.includes(order_id)))
      .map((row) => [row.id, rentalOf(row)]),
  )
}

type RentalRow = Parameters<typeof owned>[0] &
  Omit<PaidRental['line'], 'product_key' | 'product_id'> &
  Omit<PaidRental['order'], 'test' | 'refunded_cents'> & {
    returned_cents: number
    was_test: boolean
    line_key: number
    line_product: string
    is_credited: boolean
    is_owned: boolean
  }

function rentalOf(row: RentalRow): OwnedRental {
  const { financial_status, cancelled_at, currency, total_cents, returned_cents, was_test, ...rest } = row
  const { line_key, line_product, is_credited, is_owned, ...others } = rest
  const { quantity, net_cents, tax_cents, tax_rate, refunded_quantity, refunded_cents, ...entitlement } = others
  return {
    entitlement: owned(entitlement).entitlement,
    line: {
      product_key: line_key,
      product_id: line_product,
      quantity,
      net_cents,
      tax_cents,
      tax_rate,
      refunded_quantity,
      refunded_cents,
    },
    order: { financial_status, cancelled_at, currency, total_cents, refunded_cents: returned_cents, test: was_test },
    isCredited: is_credited,
    isOwned: is_owned,
  }
}
