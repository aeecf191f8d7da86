import type { RatedClass } from '#identity/addresses/tax-classes.facts.ts'
import { getSeller } from '#identity/companies/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { OwnRates } from '#selling/taxes/rules.ts'
import { appliedRates } from '#selling/taxes/rules.ts'
import { taxRateNotFound } from './errors.ts'
import { presentTaxTable } from './present.ts'
import type { TaxTable } from './schema.ts'
import type { TaxRateState } from './state.ts'

type Classed = { tax_class: RatedClass }

export const TAX_RATES = 'tax_rates'

/** Every read of tax rates starts here, so none can forget the company. */
function taxRatesOf(db: Db, companyId: number) {
  return db.selectFrom('tax_rates').where('tax_rates.company_id', '=', companyId)
}

const allOf = prepareList((db: Db, { company }: { company: number }) =>
  taxRatesOf(db, company).selectAll().$narrowType<Classed>(),
)

export function listTaxRates(db: Db, companyId: number): RowList<TaxRateState> {
  return allOf(db, { company: companyId })
}

const countAfter = prepare((db: Db, companyId: number, after: number) =>
  taxRatesOf(db, companyId)
    .where('tax_rates.id', '>', after)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** There are no more of them than countries, so they are counted in the index. */
export async function countTaxRates(db: Db, companyId: number, sinceId = 0): Promise<number> {
  const [row] = await countAfter(db, companyId, sinceId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  taxRatesOf(db, companyId).selectAll().$narrowType<Classed>().where('tax_rates.id', '=', id).compile(),
)

/** A tax rate; another company's is not found. */
export async function getTaxRate(db: Db, companyId: number, ref: string): Promise<TaxRateState> {
  const [tax] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (tax === undefined) throw taxRateNotFound(ref)
  return tax
}

/** getTaxRate that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockTaxRate(tx: Tx, companyId: number, ref: string): Promise<TaxRateState> {
  if (!/^\d{1,15}$/.test(ref)) throw taxRateNotFound(ref)
  const tax = await taxRatesOf(tx, companyId)
    .selectAll()
    .$narrowType<Classed>()
    .where('tax_rates.id', '=', Number(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (tax === undefined) throw taxRateNotFound(ref)
  return tax
}

/** The tax rate that the company has set for a country (two-letter code) and a class, if it has. */
export function findTaxRateFor(
  db: Db,
  companyId: number,
  country: string,
  taxClass: RatedClass,
): Promise<TaxRateState | undefined> {
  return taxRatesOf(db, companyId)
    .selectAll()
    .$narrowType<Classed>()
    .where('tax_rates.country_code', '=', country)
    .where('tax_rates.tax_class', '=', taxClass)
    .executeTakeFirst()
}

/** All tax rates that the company has set, by country and class. */
export async function readOwnRates(db: Db, companyId: number): Promise<OwnRates> {
  const rows = await taxRatesOf(db, companyId).select(['country_code', 'tax_class', 'rate']).execute()
  return Object.fromEntries(rows.map(({ country_code, tax_class, rate }) => [`${country_code} ${tax_class}`, rate]))
}

/** Which rates apply today for what a company sells, and where each is known from. */
export async function readTaxTable(db: Db, companyId: number, now: Date): Promise<TaxTable> {
  const [seller, own] = await Promise.all([getSeller(db, companyId), readOwnRates(db, companyId)])
  return presentTaxTable(appliedRates(seller.country_code, own, now))
}
