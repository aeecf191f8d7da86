import { COUNTRY_CODES } from '#identity/addresses/countries.facts.ts'
import { mayBePostalCode, needsPostalCode } from '#identity/addresses/postal-codes.facts.ts'
import { EMAIL_PATTERN } from '#platform/wire/schema.ts'
import { readVatId } from '#selling/taxes/vat-ids.facts.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { NO_DETAILS } from './rules.ts'
import type { CheckoutDetails, Contents } from './state.ts'

const EMAIL = new RegExp(EMAIL_PATTERN)

/** Mail on the internet goes to a name with a dot; without one it is a slip of the finger. */
const isEmail = (text: string) => EMAIL.test(text) && /\.[^.@]{2,}$/.test(text)
const TEXT_MAX = 100
const MESSAGE_MAX = 1000

/** The fields of the form in which customers say who they are. */
export const DETAIL_FIELDS = [
  'email',
  'country',
  'first_name',
  'last_name',
  'address1',
  'address2',
  'zip',
  'city',
  'province',
  'phone',
  'company',
  'vat_id',
  'po_number',
  'shipping_method',
  'is_gift',
  'gift_from',
  'gift_name',
  'gift_email',
  'gift_message',
  'gift_day',
  'accepts_marketing',
] as const

export type DetailForm = Record<(typeof DETAIL_FIELDS)[number], string>

/** Reads the form; nothing in it is refused here. Control characters would not be stored. */
export function readDetails(form: DetailForm, email: string | undefined): CheckoutDetails {
  const line = (text: string) =>
    text
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, TEXT_MAX)
  return {
    ...NO_DETAILS,
    email: email ?? line(form.email),
    country: form.country.toUpperCase(),
    first_name: line(form.first_name),
    last_name: line(form.last_name),
    address1: line(form.address1),
    address2: line(form.address2),
    zip: line(form.zip).slice(0, 50),
    city: line(form.city),
    province: line(form.province),
    phone: line(form.phone).slice(0, 50),
    company: line(form.company),
    po_number: line(form.po_number),
    vat_id: line(form.vat_id)
      .replace(/[\s.-]/g, '')
      .toUpperCase(),
    shipping_method: line(form.shipping_method),
    is_gift: form.is_gift !== '',
    gift_from: line(form.gift_from),
    gift_name: line(form.gift_name),
    gift_email: line(form.gift_email),
    gift_message: form.gift_message.replace(/\0/g, '').trim().slice(0, MESSAGE_MAX),
    gift_day: line(form.gift_day),
    accepts_marketing: form.accepts_marketing !== '',
  }
}

/** What a cart knows of its customer. The address of one who is signed in is not asked for. */
export function detailsOf(
  { details }: Pick<Contents, 'details'>,
  { customer }: Pick<ShopVisit, 'customer'>,
): CheckoutDetails {
  return customer === undefined ? details : { ...details, email: customer.email }
}

/** What is wrong with a field: the key of a text of the theme. */
export type Mistakes = Partial<Record<keyof DetailForm, string>>

/** What has to be mended before the customer can pay. */
export function mistakesIn(details: CheckoutDetails, needsAddress: boolean, now: Date): Mistakes {
  const required = needsAddress ? (['first_name', 'last_name', 'address1', 'city'] as const) : []
  return {
    ...(isEmail(details.email) ? {} : { email: 'email' }),
    ...(COUNTRY_CODES.has(details.country) ? {} : { country: 'required' }),
    ...Object.fromEntries(required.filter((name) => details[name] === '').map((name) => [name, 'required'])),
    ...(needsAddress ? postalCodeMistakes(details) : {}),
    ...(details.vat_id === '' || isVatIdOf(details.vat_id, details.country) ? {} : { vat_id: 'vat_id' }),
    ...(details.is_gift ? giftMistakes(details, now) : {}),
  }
}

/** Do addresses in a country have a postal code? */
export function isZipRequired(country: string): boolean {
  return needsPostalCode(country)
}

/** A parcel without its postal code comes back. */
function postalCodeMistakes({ zip, country }: CheckoutDetails): Mistakes {
  if (zip === '') return isZipRequired(country) ? { zip: 'required' } : {}
  return mayBePostalCode(zip, country) ? {} : { zip: 'zip' }
}

/** A company in another country than its customer address would be taxed as neither. */
function isVatIdOf(text: string, country: string): boolean {
  return readVatId(text)?.country === country
}

function giftMistakes({ gift_email, gift_day }: CheckoutDetails, now: Date): Mistakes {
  return {
    ...(isEmail(gift_email) ? {} : { gift_email: 'gift_email' }),
    ...(gift_day === '' || isDayFrom(gift_day, now) ? {} : { gift_day: 'gift_day' }),
  }
}

/** Is it a day from today on, in some time zone? */
function isDayFrom(day: string, now: Date): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false
  const time = Date.parse(`${day}T23:59:59Z`)
  return Number.isFinite(time) && time > now.getTime() - 86_400_000 && time < now.getTime() + 366 * 86_400_000
}
