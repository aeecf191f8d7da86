import type { CompanyChange, CompanyData, CompanyDataChange, InvoiceSettings } from './queries.ts'

export const TEXTS = [
  'company_name',
  'company_additional_name',
  'street',
  'zip',
  'city',
  'province',
  'first_name',
  'last_name',
  'email',
  'phone',
  'language',
] as const
export type TextName = (typeof TEXTS)[number]

/** What the screen changes of a company. */
export type Draft = Record<TextName, string> & {
  country: string
  vat_id: string
  prefix: string
  credit_prefix: string
  note: string
  payment_days: string
  check_vat_ids: boolean
  isForBusinesses: boolean
  countsStock: boolean
  warnBelow: string
  stopBelow: string
}

export function draftOf({ company, invoices }: CompanyData): Draft {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, company[name]])) as Record<TextName, string>
  return {
    ...texts,
    country: company.country_details.Country_id,
    vat_id: invoices.vat_id,
    prefix: invoices.prefix,
    credit_prefix: invoices.credit_prefix,
    note: invoices.note,
    payment_days: String(invoices.payment_days),
    check_vat_ids: invoices.check_vat_ids,
    isForBusinesses: company.tax_options === 2,
    countsStock: company.inventory_management_active,
    warnBelow: String(company.warn_at_stock_level_below),
    stopBelow: String(company.stop_selling_at_stock_level_below),
  }
}

export function changesIn(before: Draft, after: Draft): CompanyDataChange {
  const company = companyChangesIn(before, after)
  const invoices = invoiceChangesIn(before, after)
  return {
    ...(Object.keys(company).length === 0 ? {} : { company }),
    ...(Object.keys(invoices).length === 0 ? {} : { invoices }),
  }
}

function invoiceChangesIn(before: Draft, after: Draft): Partial<InvoiceSettings> {
  const texts = (['vat_id', 'prefix', 'credit_prefix', 'note'] as const).filter((name) => before[name] !== after[name])
  return {
    ...Object.fromEntries(texts.map((name) => [name, after[name]])),
    ...(before.payment_days === after.payment_days ? {} : { payment_days: Number(after.payment_days) }),
    ...(before.check_vat_ids === after.check_vat_ids ? {} : { check_vat_ids: after.check_vat_ids }),
  }
}

function companyChangesIn(before: Draft, after: Draft): CompanyChange {
  const changed = [...TEXTS, 'country' as const].filter((name) => before[name] !== after[name])
  return {
    ...Object.fromEntries(changed.map((name) => [name, after[name]])),
    ...(before.isForBusinesses === after.isForBusinesses ? {} : { tax_options: after.isForBusinesses ? 2 : 0 }),
    ...(before.countsStock === after.countsStock ? {} : { inventory_management_active: after.countsStock }),
    ...(before.warnBelow === after.warnBelow ? {} : { warn_at_stock_level_below: Number(after.warnBelow) }),
    ...(before.stopBelow === after.stopBelow ? {} : { stop_selling_at_stock_level_below: Number(after.stopBelow) }),
  }
}
