import type { Db } from '#platform/db/database.ts'
import { oldestUsed } from './rules.ts'
import type { VatIdCheck } from './state.ts'

/** Every read of VAT id checks starts here, so none can forget the company. */
function vatIdChecksOf(db: Db, companyId: number) {
  return db.selectFrom('vat_id_checks').where('vat_id_checks.company_id', '=', companyId)
}

/** What the authorities said about a VAT id within the last day. */
export function findVatIdCheck(db: Db, companyId: number, vatId: string, now: Date): Promise<VatIdCheck | undefined> {
  return vatIdChecksOf(db, companyId)
    .selectAll()
    .where('vat_id_checks.vat_id', '=', vatId)
    .where('vat_id_checks.checked_at', '>', oldestUsed(now))
    .executeTakeFirst()
}
