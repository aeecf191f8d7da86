/** A stored address; its owner adds further fields. */
export type AddressState = {
  id: number
  first_name: string
  last_name: string
  company: string
  address1: string
  address2: string
  city: string
  zip: string
  province: string
  province_code: string
  country_code: string
  country: string
  phone: string
  language: string
}
