import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { countryTaken } from './errors.ts'
import { presentTaxRate } from './present.ts'
import { lockTaxRate, TAX_RATES } from './queries.ts'
import { changeTaxRate, newTaxRate, percentOf } from './rules.ts'
import type { TaxRateChange, TaxRateInput } from './schema.ts'
import type { TaxRateState } from './state.ts'

/** Sets the rate of a country that has none yet for the class. Orders that exist keep theirs. */
export async function createTaxRate(
  tx: Tx,
  author: Author,
  input: TaxRateInput,
  now: Date,
): Promise<Written<TaxRateState>> {
  const { takeRowId } = await takeIds(tx, TAX_RATES, 1, 0)
  const tax = newTaxRate(author.companyId, takeRowId(), input, now)
  await tx.insertInto('tax_rates').values(tax).execute().catch(refuseTaken)
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'tax rate created', inWords(tax), now)
  return written(tax)
}

/** Changes the fields that the input names. */
export async function updateTaxRate(
  tx: Tx,
  author: Author,
  ref: string,
  input: TaxRateChange,
  now: Date,
): Promise<Written<TaxRateState>> {
  const tax = changeTaxRate(await lockTaxRate(tx, author.companyId, ref), input, now)
  await tx
    .updateTable('tax_rates')
    .set(tax)
    .where('company_id', '=', tax.company_id)
    .where('id', '=', tax.id)
    .execute()
    .catch(refuseTaken)
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'tax rate changed', inWords(tax), now)
  return written(tax)
}

/** Removes the company's own rate: the built-in rate of the country applies again. */
export async function deleteTaxRate(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const tax = await lockTaxRate(tx, author.companyId, ref)
  await tx.deleteFrom('tax_rates').where('company_id', '=', tax.company_id).where('id', '=', tax.id).execute()
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'tax rate deleted', inWords(tax), now)
}

function written(tax: TaxRateState): Written<TaxRateState> {
  return { state: tax, document: asciiJson(presentTaxRate(tax)) }
}

function inWords({ country_code, tax_class, rate }: TaxRateState): string {
  return `${country_code} ${tax_class === 'standard' ? '' : `${tax_class} `}${percentOf(rate)} %`
}

function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'tax_rates_country'
    ? validationFailed('country_code', countryTaken())
    : error
}
