import type { Writer } from '#identity/mail-texts/state.ts'
/** A company as it is stored. */
export type CompanyState = {
  id: number
  company_name: string
  company_additional_name: string
  first_name: string
  last_name: string
  email: string
  phone: string
  mobile_phone: string
  street: string
  zip: string
  city: string
  province: string
  province_code: string
  country_code: string
  currency: string
  language: string
  created_at: Date
  updated_at: Date
  creditcard_last4: string
  creditcard_expiration: string
  account_level: number
  affiliate_mode: number
  company_type: number
  accounting_export_active: boolean
  company_disabled: boolean
  digital_products_only: boolean
  sample_mode: boolean
  /** It has a clock of its own, and sells nothing to anybody. It was made so, and stays so. */
  sandbox: boolean
  /** The company whose users work in the sandbox; null: it has its own. */
  sandbox_of: number | null
  shop_active: boolean
  valid: boolean
  /** When it will be deleted; null: nobody asked for it. */
  deletion_due_at: Date | null
  /** Everybody who works for it signs in in two steps. */
  second_factor_required: boolean
  affiliates_active: boolean
  api_active: boolean
  inventory_management_active: boolean
  managed_users_active: boolean
  show_recommended_products_player: boolean
  esd_payment_route: number
  prod_payment_route: number
  external_access_token: string
  payment_reminders: number
  restricted: number
  tax_options: number
  comment: string
  commission_model: number
  price_model: number
  sales_contact: string
  partner_id: number | null
  partner_model: number
  stop_selling_at_stock_level_below: number
  warn_at_stock_level_below: number
}

/** A company as the recipients of its mails see it. */
export type Correspondent = Pick<
  CompanyState,
  'id' | 'company_name' | 'email' | 'street' | 'zip' | 'city' | 'country_code' | 'language'
> &
  Writer

/** The fields of the selling company that a sale needs. */
export type Seller = Pick<
  CompanyState,
  | 'id'
  | 'country_code'
  | 'currency'
  | 'tax_options'
  | 'api_active'
  | 'sandbox'
  | 'shop_active'
  | 'company_disabled'
  | 'deletion_due_at'
>
