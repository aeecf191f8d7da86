import type { Db } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { codesOf, typedForm } from './queries.ts'

/** Has the company codes of its own, which no character checks? */
export async function hasOwnCodes(db: Db, companyId: number): Promise<boolean> {
  const found = await codesOf(db, companyId).select('redemption_codes.id').where('own', '=', true).limit(1).execute()
  return found.length > 0
}

export type KnownCode = Columns<'redemption_codes', 'id' | 'product_key' | 'license_id'>

/** The codes of a company by the forms by which they are found; unknown ones are left out. */
export async function findCodesTyped(
  db: Db,
  companyId: number,
  typed: readonly string[],
): Promise<Map<string, KnownCode>> {
  const rows = await codesOf(db, companyId)
    .select(['redemption_codes.id', 'redemption_codes.product_key', 'redemption_codes.license_id'])
    .select(typedForm.as('typed'))
    .where(condition`${typedForm} = any(${[...typed]}::text[])`)
    .execute()
  return new Map(rows.map(({ typed: form, ...code }) => [form, code]))
}
