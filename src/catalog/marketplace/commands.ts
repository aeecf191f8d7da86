import { categoryUnknown } from '#catalog/category-tree/errors.ts'
import { findCategoryIds } from '#catalog/category-tree/queries.ts'
import { noteAllChanges } from '#catalog/products/mirrors/commands.ts'
import { readThemeSettingIds, readThemeSettings } from '#catalog/theme-settings/queries.ts'
import { findCompanyIds } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { fieldOutOfRange, fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import {
  alreadyOffered,
  categoriesEmpty,
  companiesEmpty,
  companyUnknown,
  nothingOffered,
  shopMissing,
  shopUnknown,
} from './errors.ts'
import { presentOffer } from './present.ts'
import { findOfferOf, lockOfferOf } from './queries.ts'
import type { OfferInput } from './schema.ts'
import type { Offer } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** Puts a company into the marketplace. A company has one entry at most. */
export async function offerProducts(
  tx: Tx,
  { companyId }: Owner,
  input: OfferInput,
  now: Date,
): Promise<Written<Offer>> {
  const report = new FieldReport()
  if (input.cost_to_licensees_percent === undefined) report.add('cost_to_licensees_percent', fieldRequired())
  const [firstShop] = input.theme_setting_id === undefined ? await readThemeSettingIds(tx, companyId, 0, 1) : []
  const shopId = input.theme_setting_id ?? firstShop
  if (shopId === undefined) report.add('theme_setting_id', shopMissing())
  await checkInput(tx, companyId, input, [], report)
  if ((await findOfferOf(tx, companyId)) !== undefined) throw alreadyOffered()
  const { takeRowId } = await takeIds(tx, 'market_offers', 1, 0)
  const id = takeRowId()
  await tx
    .insertInto('market_offers')
    .values({
      company_id: companyId,
      id,
      theme_setting_id: shopId!,
      cost_to_licensees_percent: input.cost_to_licensees_percent!,
      category_ids: input.category_ids ?? null,
      company_ids: once(input.company_ids ?? null),
      created_at: now,
      updated_at: now,
    })
    .execute()
    .catch((error) => {
      // Another request created the entry between the check and the insert.
      throw error.constraint === 'market_offers_live' ? alreadyOffered() : error
    })
  return writtenOffer(tx, companyId)
}

/**
 * Changes the fields that the input names. Companies that have taken products keep the agreed percentage. For those that are
 * taken off the list, the offer has ended: their mirrors follow as if it were withdrawn.
 */
export async function changeOffer(tx: Tx, { companyId }: Owner, input: OfferInput, now: Date): Promise<Written<Offer>> {
  const before = await lockOfferOf(tx, companyId)
  await checkInput(tx, companyId, input, before.company_ids ?? [], new FieldReport())
  await tx
    .updateTable('market_offers')
    .set({
      theme_setting_id: input.theme_setting_id ?? before.theme_setting_id,
      cost_to_licensees_percent: input.cost_to_licensees_percent ?? before.cost_to_licensees_percent,
      category_ids: input.category_ids === undefined ? before.category_ids : input.category_ids,
      company_ids: input.company_ids === undefined ? before.company_ids : once(input.company_ids),
      updated_at: now,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', before.id)
    .execute()
  await noteAllChanges(tx, companyId, now)
  return writtenOffer(tx, companyId)
}

/** Takes a company out of the marketplace. Other companies can no longer sell its products; past sales stay. */
export async function withdrawOffer(tx: Tx, { companyId }: Owner, now: Date): Promise<void> {
  const withdrawn = await tx
    .updateTable('market_offers')
    .set({ withdrawn_at: now, updated_at: now })
    .where('company_id', '=', companyId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  if (withdrawn.numUpdatedRows === 0n) throw nothingOffered()
  await noteAllChanges(tx, companyId, now)
}

async function writtenOffer(tx: Tx, companyId: number): Promise<Written<Offer>> {
  const offer = await findOfferOf(tx, companyId)
  if (offer === undefined) throw nothingOffered()
  return { state: offer, document: asciiJson(presentOffer(offer)) }
}

/** Each company once. */
function once(ids: readonly number[] | null): number[] | null {
  return ids === null ? null : [...new Set(ids)]
}

/** Reports all faults of an input at once. Companies that were `named` before may be gone by now. */
async function checkInput(
  tx: Tx,
  companyId: number,
  { cost_to_licensees_percent: percent, theme_setting_id, category_ids, company_ids }: OfferInput,
  named: readonly number[],
  report: FieldReport,
): Promise<void> {
  if (percent !== undefined && !(percent >= 0 && percent <= 100))
    report.add('cost_to_licensees_percent', fieldOutOfRange('must be from 0 to 100'))
  else if (percent !== undefined && Number(percent.toFixed(2)) !== percent)
    report.add('cost_to_licensees_percent', fieldOutOfRange('has more than two decimals'))
  if (theme_setting_id !== undefined && (await readThemeSettings(tx, companyId, [theme_setting_id])).length === 0)
    report.add('theme_setting_id', shopUnknown())
  if (category_ids?.length === 0) report.add('category_ids', categoriesEmpty())
  const known = category_ids ? await findCategoryIds(tx, companyId, category_ids) : new Set<number>()
  for (const [index, id] of (category_ids ?? []).entries())
    if (!known.has(id)) report.add(`category_ids[${index}]`, categoryUnknown())
  if (company_ids?.length === 0) report.add('company_ids', companiesEmpty())
  const others = await findCompanyIds(tx, company_ids ?? [])
  for (const [index, id] of (company_ids ?? []).entries())
    if (id === companyId || !(others.has(id) || named.includes(id)))
      report.add(`company_ids[${index}]`, companyUnknown())
  report.throwIfAny()
}
