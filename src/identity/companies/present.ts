import { asciiJson, wireTime } from '#platform/wire/times.ts'
import { maskedCard } from './rules.ts'
import type { Company, CountryDetails, PartnerPart } from './schema.ts'
import type { CompanyState } from './state.ts'

/** A company as the API shows it, without the fields for its partner and without the state of its shop. */
export function presentCompany(
  company: CompanyState,
  country: CountryDetails,
): Omit<Company, keyof PartnerPart | 'shop_status'> {
  return {
    id: company.id,
    company_name: company.company_name,
    company_additional_name: company.company_additional_name,
    first_name: company.first_name,
    last_name: company.last_name,
    email: company.email,
    phone: company.phone,
    moblile_phone: company.mobile_phone,
    street: company.street,
    zip: company.zip,
    city: company.city,
    province: company.province,
    province_code: company.province_code,
    country: country.Country,
    country_details: country,
    language: company.language,
    creation_date: wireTime(company.created_at),
    updated_at: wireTime(company.updated_at),
    creditcard_number: maskedCard(company.creditcard_last4),
    creditcard_expiration: company.creditcard_expiration,
    account_level: company.account_level,
    affiliate_mode: company.affiliate_mode,
    company_type: company.company_type,
    accounting_export_active: company.accounting_export_active,
    company_disabled: company.company_disabled,
    digital_products_only: company.digital_products_only,
    sample_mode: company.sample_mode,
    ...(company.sandbox ? { sandbox: true } : {}),
    shop_active: company.shop_active,
    valid: company.valid,
    affiliates_active: company.affiliates_active,
    api_active: company.api_active,
    inventory_management_active: company.inventory_management_active,
    managed_users_active: company.managed_users_active,
    show_recommended_products_player: company.show_recommended_products_player,
    esd_payment_route: company.esd_payment_route,
    prod_payment_route: company.prod_payment_route,
    external_access_token: company.external_access_token,
    payment_reminders: company.payment_reminders,
    restricted: company.restricted,
    tax_options: company.tax_options,
    partner_model: company.partner_model,
    stop_selling_at_stock_level_below: company.stop_selling_at_stock_level_below,
    warn_at_stock_level_below: company.warn_at_stock_level_below,
  }
}

/** A stored document without the secret that lets anybody sign in as any customer. */
export function withoutSecret(document: string): string {
  const { external_access_token: _secret, ...rest }: Company = JSON.parse(document)
  return asciiJson(rest)
}

/** The fields that a read adds for the partner of the company. */
export function presentForPartner(company: CompanyState): PartnerPart {
  return {
    comment: company.comment,
    commission_model: company.commission_model,
    price_model: company.price_model,
    sales_contact: company.sales_contact,
    partner: company.partner_id ?? 0,
  }
}
