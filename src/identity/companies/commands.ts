import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { createTestClock } from '#identity/test-clocks/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentCompany, presentForPartner } from './present.ts'
import { getCompanyDocument, listAssociateNames, lockCompany, lockCompanyById } from './queries.ts'
import { changeCompany, type NewCompany, NO_ADDRESS, NO_DETAILS, newCompany } from './rules.ts'
import type { CompanyInput } from './schema.ts'
import type { CompanyState } from './state.ts'

export async function createCompany(tx: Tx, company: NewCompany, now: Date): Promise<{ id: number }> {
  const { takeRowId } = await takeIds(tx, 'companies', 1, 0)
  const state = newCompany({ id: takeRowId(), token: randomToken() }, company, now)
  await tx.insertInto('companies').values(columns(state)).execute()
  if (state.sandbox) await createTestClock(tx, state.id)
  return { id: state.id }
}

/** Changes the named fields of the caller's own company or of one whose partner the caller is. */
export async function updateCompany(
  tx: Tx,
  caller: Caller,
  ref: string,
  input: CompanyInput,
  now: Date,
): Promise<Written<CompanyState>> {
  const company = changeCompany(await lockCompany(tx, caller.companyId, ref), input, now)
  await saveCompany(tx, company)
  return { state: company, document: await getCompanyDocument(tx, caller.companyId, ref) }
}

/** Writes a company's documents again from its row. */
export async function refreshCompany(tx: Tx, id: number): Promise<void> {
  await saveCompany(tx, await lockCompanyById(tx, id))
}

/** Notes the day on which a company will be deleted; null: it will not be. */
export async function setDeletionDay(tx: Tx, id: number, deletion_due_at: Date | null): Promise<void> {
  await saveCompany(tx, { ...(await lockCompanyById(tx, id)), deletion_due_at })
}

/** Closes a company that is deleted: shops, sign-in by login tokens, and the work of its partner end at once. */
export async function closeCompany(tx: Tx, id: number, now: Date): Promise<void> {
  const company = await lockCompanyById(tx, id)
  const closed = { company_disabled: true, partner_id: null, external_access_token: randomToken(), updated_at: now }
  await saveCompany(tx, { ...company, ...closed })
  for (const associate of await listAssociateNames(tx, id))
    await saveCompany(tx, { ...(await lockCompanyById(tx, associate.id)), partner_id: null, updated_at: now })
}

/** Leaves of a deleted company what its invoices need, or nothing but its name, which the ledgers of others show. */
export async function reduceCompany(
  tx: Tx,
  id: number,
  leaves: 'what invoices need' | 'name',
  now: Date,
): Promise<void> {
  const company = await lockCompanyById(tx, id)
  await saveCompany(tx, { ...company, ...(leaves === 'name' ? NO_ADDRESS : {}), ...NO_DETAILS, updated_at: now })
}

export async function saveCompany(tx: Tx, company: CompanyState): Promise<void> {
  shopChanged(tx, company.id)
  await tx.updateTable('companies').set(columns(company)).where('id', '=', company.id).execute()
}

function columns(company: CompanyState) {
  return {
    ...company,
    document: asciiJson(presentCompany(company, countryDetails(company.country_code))),
    partner_document: asciiJson(presentForPartner(company)),
  }
}
