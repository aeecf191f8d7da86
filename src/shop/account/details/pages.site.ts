import type { NamedCountry } from '#shop/site/countries.rules.ts'
import type { RefusedForm } from '#shop/site/pages.site.ts'
import type { AddressForm, NameForm } from './rules.ts'

export type AccountNamePage = RefusedForm & {
  /** What was typed, or is known. */
  form: NameForm
}

export type AccountAddressPage = RefusedForm & {
  /** Absent for a new address. */
  address_id: number | undefined
  is_default: boolean
  /** What was typed, or is known. */
  form: AddressForm
  countries: readonly NamedCountry[]
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The form for another name. */
    'account-name': AccountNamePage
    /** The form for an address. */
    'account-address': AccountAddressPage
  }
}
