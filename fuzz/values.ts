import type { Random } from '#program/demo/random.ts'
import type { Walk } from './walk.ts'

/** The password of every customer of the fuzzer. */
export const CUSTOMER_PASSWORD = 'a password to shop with'

const PEOPLE = 5000

export const someEmail = (random: Random) => `${random.below(PEOPLE)}@example.com`

const EMAILS: readonly [string, ...string[]] = [
  '0@example.com',
  ...Array.from({ length: PEOPLE }, (_, index) => `${index}@example.com`),
]

/** What customers type into the forms of shops, by the name of the field. */
export const TYPED: Walk['values'] = {
  email: EMAILS,
  gift_email: EMAILS,
  first_name: ['Jane', 'Zoë', '李'],
  last_name: ['Roe', "O'Neil"],
  company: ['', 'Roe Ltd.'],
  address1: ['Main Street 1'],
  address2: ['', '2nd floor'],
  zip: ['10115', 'SW1A 1AA'],
  city: ['Berlin'],
  province: ['', 'CA'],
  country: ['DE', 'DE', 'DE', 'AT', 'US', 'CH'],
  phone: ['', '+49 30 1234567'],
  vat_id: ['', '', '', 'DE123456789', 'ATU12345678'],
  quantity: ['1', '1', '2', '0', '999999'],
  card: ['4242 4242 4242 4242', '4242424242424242', '4000 0000 0000 0002', '4000000000003220', '4000000000001018'],
  gateway: ['Test', 'Test', 'Test', 'Stripe', 'Mollie', 'Manual'],
  password: [CUSTOMER_PASSWORD, 'wrong', ''],
  current_password: [CUSTOMER_PASSWORD, CUSTOMER_PASSWORD, 'wrong'],
  gift_message: ['', 'Have fun!\nJane'],
  gift_date: ['', '2031-12-24'],
  goods: ['One mug', 'Everything'],
  reason: ['', 'Too small'],
  order: ['1000', '#1001', '1'],
  stars: ['5', '1', '6'],
  text: ['A fine film.'],
  name: ['Jane Roe', '李'],
  number: ['', '1', '#1000'],
  kind: ['ordinary', 'extraordinary'],
  end: ['', '2031-12-24'],
  language: ['en', 'de'],
  currency: ['EUR', 'USD'],
}
