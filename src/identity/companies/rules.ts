import { findCountry } from '#identity/addresses/countries.facts.ts'
import { countryUnknown } from '#identity/addresses/errors.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { cardNumberInvalid } from './errors.ts'
import type { CompanyInput, OperatorSettings } from './schema.ts'
import type { CompanyState } from './state.ts'

export type NewCompany = CompanyInput & {
  company_name: string
  email: string
  country_code: string
  currency: string
  partner_id?: number | undefined
  sandbox?: boolean | undefined
  sandbox_of?: number | undefined
}

const MASK = '************'

/** A card as it is shown: its last four digits, if there is a card. */
export function maskedCard(last4: string): string {
  return last4 === '' ? '' : `${MASK}${last4}`
}

/** Checks the check digit of a card number (ISO/IEC 7812). */
function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The stored part of a card number. A masked number that a client sends back changes nothing. */
function keptOfCard(before: string, sent: string | undefined, report: FieldReport): string {
  if (sent === undefined || sent === maskedCard(before)) return before
  const digits = sent.replace(/[\s-]/g, '')
  if (digits === '') return ''
  if (!isCardNumber(digits)) report.add('creditcard_number', cardNumberInvalid())
  return digits.slice(-4)
}

/** An invoice needs these names and this address. */
function isComplete({ company_name, first_name, last_name, email, street, zip, city }: CompanyState): boolean {
  return [company_name, first_name, last_name, email, street, zip, city].every((text) => text.trim() !== '')
}

/** What invoices do not show. */
export const NO_DETAILS = {
  phone: '',
  mobile_phone: '',
  creditcard_last4: '',
  creditcard_expiration: '',
  comment: '',
  sales_contact: '',
} as const

/** What they do show, beside the name. */
export const NO_ADDRESS = {
  company_additional_name: '',
  first_name: '',
  last_name: '',
  email: '',
  street: '',
  zip: '',
  city: '',
  province: '',
  province_code: '',
} as const

export function newCompany(identity: { id: number; token: string }, company: NewCompany, now: Date): CompanyState {
  const { company_name, email, country_code, currency, partner_id = null, sandbox = false, sandbox_of = null } = company
  const blank: CompanyState = {
    id: identity.id,
    company_name,
    company_additional_name: '',
    first_name: '',
    last_name: '',
    email,
    phone: '',
    mobile_phone: '',
    street: '',
    zip: '',
    city: '',
    province: '',
    province_code: '',
    country_code,
    currency,
    language: 'en',
    created_at: now,
    updated_at: now,
    creditcard_last4: '',
    creditcard_expiration: '',
    account_level: 0,
    affiliate_mode: 0,
    company_type: 0,
    accounting_export_active: false,
    company_disabled: false,
    digital_products_only: false,
    sample_mode: false,
    sandbox,
    sandbox_of,
    shop_active: true,
    second_factor_required: false,
    deletion_due_at: null,
    valid: false,
    affiliates_active: false,
    api_active: true,
    inventory_management_active: false,
    managed_users_active: false,
    show_recommended_products_player: true,
    esd_payment_route: 0,
    prod_payment_route: 0,
    external_access_token: identity.token,
    payment_reminders: 0,
    restricted: 0,
    tax_options: 0,
    comment: '',
    commission_model: 0,
    price_model: 0,
    sales_contact: '',
    partner_id,
    partner_model: 0,
    stop_selling_at_stock_level_below: 0,
    warn_at_stock_level_below: 0,
  }
  return changeCompany(blank, company, now)
}

/** The company after a change: fields that the body does not name stay. */
export function changeCompany(before: CompanyState, input: CompanyInput, now: Date): CompanyState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const creditcard_last4 = keptOfCard(before.creditcard_last4, input.creditcard_number, report)
  report.throwIfAny()
  const after: CompanyState = {
    ...before,
    company_name: input.company_name ?? before.company_name,
    company_additional_name: input.company_additional_name ?? before.company_additional_name,
    first_name: input.first_name ?? before.first_name,
    last_name: input.last_name ?? before.last_name,
    email: input.email ?? before.email,
    phone: input.phone ?? before.phone,
    mobile_phone: input.moblile_phone ?? before.mobile_phone,
    street: input.street ?? before.street,
    zip: input.zip ?? before.zip,
    city: input.city ?? before.city,
    province: input.province ?? before.province,
    province_code: input.province_code ?? before.province_code,
    language: input.language?.toLowerCase() ?? before.language,
    creditcard_last4,
    creditcard_expiration: input.creditcard_expiration ?? before.creditcard_expiration,
    affiliates_active: input.affiliates_active ?? before.affiliates_active,
    api_active: input.api_active ?? before.api_active,
    inventory_management_active: input.inventory_management_active ?? before.inventory_management_active,
    managed_users_active: input.managed_users_active ?? before.managed_users_active,
    show_recommended_products_player: input.show_recommended_products_player ?? before.show_recommended_products_player,
    partner_model: input.partner_model ?? before.partner_model,
    stop_selling_at_stock_level_below:
      input.stop_selling_at_stock_level_below ?? before.stop_selling_at_stock_level_below,
    warn_at_stock_level_below: input.warn_at_stock_level_below ?? before.warn_at_stock_level_below,
    updated_at: now,
  }
  return { ...after, valid: isComplete(after) }
}

/** The company after a change of its settings: those that the input does not name stay. */
export function changeSettings(before: CompanyState, input: OperatorSettings, now: Date): CompanyState {
  const country = input.country === undefined ? before.country_code : findCountry(input.country)?.code
  if (country === undefined) throw validationFailed('country', countryUnknown('is not a country'))
  return {
    ...before,
    country_code: country,
    tax_options: input.tax_options ?? before.tax_options,
    shop_active: input.shop_active ?? before.shop_active,
    company_disabled: input.company_disabled ?? before.company_disabled,
    updated_at: now,
  }
}

const SETTINGS: readonly (keyof CompanyState)[] = ['country_code', 'tax_options', 'shop_active', 'company_disabled']
/** They are set by themselves. */
const OF_THE_ROW: readonly (keyof CompanyState)[] = ['updated_at', 'valid']

/** What a change sets, in words: `shop_active false` for a setting, and the names of the other fields. */
export function changedSettings(before: CompanyState, after: CompanyState): string[] {
  const isChanged = (name: keyof CompanyState) => before[name] !== after[name]
  const others = keysOf(after).filter((name) => ![...SETTINGS, ...OF_THE_ROW].includes(name))
  return [...SETTINGS.filter(isChanged).map((name) => `${name} ${after[name]}`), ...others.filter(isChanged)]
}

/** The email address in a search for `email:<address>`; undefined for a search of another form. */
export function searchedEmail(query: string | undefined): string | undefined {
  return /^\s*email\s*:\s*(\S+)\s*$/.exec(query ?? '')?.[1]
}
