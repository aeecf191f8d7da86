import { countryUnknown } from '#addresses/errors.ts'
import { COUNTRY_CODES } from '#companies/countries.ts'
import { fieldRequired } from '#platform/faults.ts'
import { FieldReport } from '#platform/problem.ts'
import { reportUnstorable } from '#platform/storable.ts'
import { partnerIsOwnCompany, trackingUrlInvalid } from './errors.ts'
import type { ShippingMethodInput } from './schema.ts'
import type { ShippingMethodState } from './state.ts'

const PLACE = '{tracking_number}'

/** Creates a shipping method from an input. Throws with all faults at once. */
export function newShippingMethod(
  companyId: number,
  id: number,
  input: ShippingMethodInput,
  now: Date,
): ShippingMethodState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const title = input.title.trim()
  if (title === '') report.add('title', fieldRequired())
  const countries = (input.countries ?? []).map((code) => code.toUpperCase())
  for (const [index, code] of countries.entries())
    if (!COUNTRY_CODES.has(code)) report.add(`countries[${index}]`, countryUnknown('is not the code of a country'))
  const tracking_url = input.tracking_url?.trim() ?? ''
  if (tracking_url !== '' && !isTemplate(tracking_url)) report.add('tracking_url', trackingUrlInvalid(PLACE))
  if (input.shipping_partner_id === companyId) report.add('shipping_partner_id', partnerIsOwnCompany())
  report.throwIfAny()
  return {
    company_id: companyId,
    id,
    title,
    price_id: input.price_id ?? null,
    countries: [...new Set(countries)],
    tracking_company: input.tracking_company?.trim() ?? '',
    tracking_url,
    partner_id: input.shipping_partner_id ?? null,
    valid: true,
    created_at: now,
  }
}

function isTemplate(text: string): boolean {
  return text.includes(PLACE) && /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

/** The tracking URL of a parcel; empty if there is no template or no number yet. */
export function trackingUrl(template: string, trackingNumber: string): string {
  const number = trackingNumber.trim()
  return template === '' || number === '' ? '' : template.replaceAll(PLACE, encodeURIComponent(number))
}

/** The method with the requested title, or the first one for the country; undefined if there is none. */
export function chooseMethod<Method extends ShippingMethodState>(
  methods: readonly Method[],
  title: string | undefined,
  country: string,
): Method | undefined {
  const leadsThere = methods.filter(({ countries }) => countries.length === 0 || countries.includes(country))
  if (title === undefined) return leadsThere[0]
  return leadsThere.find((method) => method.title.toLowerCase() === title.trim().toLowerCase())
}
