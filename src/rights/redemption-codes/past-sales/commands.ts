import type { ForSale } from '#catalog/products/sale/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { randomBelow } from '#platform/identity/crypto.ts'
import { grantNow } from '#rights/entitlements/commands.ts'
import { withdrawUnused } from '#rights/entitlements/withdraw.commands.ts'
import { REDEMPTION_CODES } from '../queries.ts'
import { insertCodes } from '../rows.commands.ts'
import { entitlementsOf, givenBy, NO_MEMBERSHIP, newCode } from '../rules.ts'
import type { RedemptionCodeState } from '../state.ts'
import { readRedeemed } from './queries.ts'

export type PastSale = {
  product: ForSale
  /** Null: that of the first offer of the product. */
  license_id: number | null
  quantity: number
  soldAt: Date
  /** Where it was sold, and under which number. */
  note: string
}

type Buyer = { id: number; token: string; language: string }

/**
 * Gives a customer what they bought in another shop, as a gift by hand does: by a code that is redeemed at once and notes where
 * it was sold. There is no order, no payment, no invoice, no mail and no change of stock. Returns the id of the code. Lock the
 * account of the customer first.
 */
export async function givePastSale(
  tx: Tx,
  companyId: number,
  buyer: Buyer,
  { product, license_id, quantity, soldAt, note }: PastSale,
  now: Date,
): Promise<number> {
  const [first] = product.bindings
  const binding = license_id === null ? first : product.bindings.find((each) => each.license_id === license_id)
  const wanted = {
    product_id: product.product_id,
    license_id: binding?.license_id ?? license_id,
    ...(binding?.hd == null ? {} : { hd: binding.hd }),
    ...(binding?.audio_type == null ? {} : { audio_type: binding.audio_type }),
    ...(binding?.num_users == null ? {} : { num_users: binding.num_users }),
  }
  const given = givenBy(product, wanted, companyId, now)
  const { takeRowId } = await takeIds(tx, REDEMPTION_CODES, 1, 0)
  const code: RedemptionCodeState = {
    ...given,
    ...NO_MEMBERSHIP,
    company_id: companyId,
    id: takeRowId(),
    code: newCode(randomBelow),
    own: false,
    uses_max: quantity,
    uses: 0,
    uses_ended: 0,
    order_id: null,
    line_id: null,
    on_hold: false,
    note,
    expires_at: null,
    revoked_at: null,
    created_at: now,
    updated_at: now,
  }
  await insertCodes(tx, companyId, [code])
  const pieces = Array.from({ length: quantity }, () => entitlementsOf(code, buyer)).flat()
  const bought = pieces.map((piece) => ({ ...piece, granted_at: soldAt, acquired_at: soldAt }))
  const granted = await grantNow(tx, bought, buyer.language, now)
  await tx
    .updateTable('redemption_codes')
    .set({ uses: quantity })
    .where('company_id', '=', companyId)
    .where('id', '=', code.id)
    .execute()
  await tx
    .insertInto('redemptions')
    .values({
      company_id: companyId,
      code_id: code.id,
      customer_token: buyer.token,
      entitlement_ids: granted.state.map(({ id }) => id),
      created_at: now,
    })
    .execute()
  return code.id
}

/** Deletes a code with what it gave, if nobody has used that. */
export async function withdrawCode(tx: Tx, companyId: number, id: number): Promise<void> {
  const [redeemed] = await readRedeemed(tx, companyId, [id])
  await withdrawUnused(tx, companyId, redeemed?.entitlement_ids ?? [])
  await tx.deleteFrom('redemptions').where('company_id', '=', companyId).where('code_id', '=', id).execute()
  await tx.deleteFrom('redemption_codes').where('company_id', '=', companyId).where('id', '=', id).execute()
}
