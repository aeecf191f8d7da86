import { sql } from 'kysely'
import type { ForSale } from '#catalog/products/sale/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { ownCodeTaken } from './errors.ts'
import { insertOwnCode } from './rows.commands.ts'
import { givenBy } from './rules.ts'
import type { NewRedemptionCodes } from './schema.ts'
import type { Given, RedemptionCodeState } from './state.ts'

/** Lets one import of codes after another see the codes of a company: of two with the same file, the second finds them there. */
export async function lockOwnCodes(tx: Tx, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`redemption codes of ${companyId}`}, 0))`.execute(tx)
}

/** What a code is printed for. Without a license it is that of the first offer. */
export type Wanted = Pick<NewRedemptionCodes, 'hd' | 'audio_type' | 'num_users'> & { license_id: number | null }

/** The content that a printed code gives. Throws if the product cannot be given. */
export function givenByPrinted(product: ForSale, wanted: Wanted, companyId: number, now: Date): Given {
  const license_id = wanted.license_id ?? product.bindings[0]?.license_id ?? null
  return givenBy(product, { ...wanted, product_id: product.product_id, license_id }, companyId, now)
}

export type PrintedCode = Pick<RedemptionCodeState, 'code' | 'uses_max' | 'expires_at' | 'note'> & { given: Given }

/** Stores a code as it is printed, and returns its id. */
export async function addOwnCode(
  tx: Tx,
  companyId: number,
  { given, ...printed }: PrintedCode,
  now: Date,
): Promise<number> {
  const id = await insertOwnCode(tx, companyId, { ...given, ...printed }, now)
  if (id === undefined) throw validationFailed('code', ownCodeTaken())
  return id
}
