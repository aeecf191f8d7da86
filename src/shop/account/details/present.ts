import type { CustomerAddressState } from '#people/customers/addresses/state.ts'
import { countriesIn } from '#shop/site/countries.rules.ts'
import type { AddressForm } from './rules.ts'

/** The form for an address: a known one, or a new one. */
export function addressPage(form: AddressForm, known: CustomerAddressState | undefined, language: string) {
  return { address_id: known?.id, is_default: known?.default ?? false, form, countries: countriesIn(language) }
}
