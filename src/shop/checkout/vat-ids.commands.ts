import { addressLimit, takeAttempt } from '#identity/attempts/guard.ts'
import { findWait } from '#identity/attempts/queries.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { readInvoiceSettings } from '#selling/invoices/queries.ts'
import { checkVatId, type VatIdWork } from '#selling/taxes/commands.ts'
import { findVatIdCheck } from '#selling/taxes/queries.ts'
import type { VatIdCheck } from '#selling/taxes/state.ts'
import { readVatId } from '#selling/taxes/vat-ids.facts.ts'

/** Something is wrong with the VAT id: the key of a text of the theme. Otherwise what is known about it. */
export type VatIdVerdict = { mistake: string } | { mistake: undefined; check: VatIdCheck | undefined }

const UNCHECKED: VatIdVerdict = { mistake: undefined, check: undefined }

/**
 * Looks up the VAT ids of customers for companies that want that. The sale goes on if the authorities do not answer. Anybody
 * can enter VAT ids, so one address can have only so many looked up.
 */
export function createVatIdLookup(work: VatIdWork) {
  return async (companyId: number, text: string, address: string): Promise<VatIdVerdict> => {
    const vatId = readVatId(text)?.id
    if (vatId === undefined || work.url === '') return UNCHECKED
    const settings = await readInvoiceSettings(work.db, companyId, work.now(companyId))
    if (!settings.check_vat_ids) return UNCHECKED
    if ((await findVatIdCheck(work.db, companyId, vatId, work.now(companyId))) === undefined) {
      const limits = [addressLimit(address, 'vat id')]
      if ((await findWait(work.db, limits, nowInSeconds(work.clock))) > 0) return { mistake: 'too_many' }
      await work.change((tx) => takeAttempt(tx, limits, nowInSeconds(work.clock)))
    }
    const check = await checkVatId(work, { companyId, vatId, sellerVatId: settings.vat_id })
    return check?.is_valid === false ? { mistake: 'vat_id_unknown' } : { mistake: undefined, check }
  }
}
