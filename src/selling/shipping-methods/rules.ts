import { findCountry } from '#identity/addresses/countries.facts.ts'
import { countryUnknown } from '#identity/addresses/errors.ts'
import { fieldOutOfRange, fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { partnerIsOwnCompany, trackingUrlInvalid, weightTaken } from './errors.ts'
import type { ShippingMethodChange, ShippingMethodInput } from './schema.ts'
import type { Parcel, PricedMethod, ShippingMethodState, WeightRate } from './state.ts'

const PLACE = '{tracking_number}'

/** Every sale of goods reads all methods of the company. */
export const METHODS_MAX = 300

/** Creates a shipping method from an input. Throws with all faults at once. */
export function newShippingMethod(
  companyId: number,
  id: number,
  input: ShippingMethodInput,
  now: Date,
): ShippingMethodState {
  const blank: ShippingMethodState = {
    company_id: companyId,
    id,
    title: '',
    price_id: null,
    weight_rates: [],
    free_from: null,
    countries: [],
    tracking_company: '',
    tracking_url: '',
    partner_id: null,
    position: 0,
    delivery_days_min: null,
    delivery_days_max: null,
    valid: true,
    created_at: now,
    updated_at: now,
  }
  return changeShippingMethod(blank, input, now)
}

/** The shipping method after a change: fields that the input does not name stay. Throws with all faults at once. */
export function changeShippingMethod(
  before: ShippingMethodState,
  input: ShippingMethodChange,
  now: Date,
): ShippingMethodState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const title = (input.title ?? before.title).trim()
  if (title === '') report.add('title', fieldRequired())
  const tracking_url = (input.tracking_url ?? before.tracking_url).trim()
  if (tracking_url !== '' && !isTemplate(tracking_url)) report.add('tracking_url', trackingUrlInvalid(PLACE))
  const partner_id = input.shipping_partner_id === undefined ? before.partner_id : input.shipping_partner_id || null
  if (partner_id === before.company_id) report.add('shipping_partner_id', partnerIsOwnCompany())
  const countries = input.countries === undefined ? before.countries : readCountries(input.countries, report)
  const weight_rates =
    input.weight_rates === undefined ? before.weight_rates : readWeightRates(input.weight_rates, report)
  const min = input.delivery_days_min === undefined ? before.delivery_days_min : input.delivery_days_min
  const max = input.delivery_days_max === undefined ? before.delivery_days_max : input.delivery_days_max
  if (min !== null && max !== null && min > max)
    report.add('delivery_days_max', fieldOutOfRange('must not be lower than delivery_days_min'))
  report.throwIfAny()
  return {
    ...before,
    title,
    price_id: input.price_id === undefined ? before.price_id : input.price_id || null,
    weight_rates,
    free_from: input.free_from === undefined ? before.free_from : input.free_from,
    countries,
    tracking_company: (input.tracking_company ?? before.tracking_company).trim(),
    tracking_url,
    partner_id,
    position: input.position ?? before.position,
    delivery_days_min: min,
    delivery_days_max: max,
    updated_at: now,
  }
}

/** The two-letter codes of countries, each once. */
function readCountries(sent: readonly string[], report: FieldReport): string[] {
  const codes = sent.flatMap((text, index) => {
    const country = findCountry(text)
    if (country === undefined) report.add(`countries[${index}]`, countryUnknown('is not a country'))
    return country?.code ?? []
  })
  return [...new Set(codes)]
}

/** The rates by weight, lightest first. Each weight has one price. */
function readWeightRates(sent: NonNullable<ShippingMethodChange['weight_rates']>, report: FieldReport): WeightRate[] {
  const weights = new Set<number | null>()
  const rates = sent.map(({ weight_max = null, price_id = null }, index) => {
    if (weights.has(weight_max)) report.add(`weight_rates[${index}].weight_max`, weightTaken())
    weights.add(weight_max)
    return { weight_max, price_id: price_id || null }
  })
  return rates.sort((one, other) => (one.weight_max ?? Infinity) - (other.weight_max ?? Infinity))
}

function isTemplate(text: string): boolean {
  return text.includes(PLACE) && /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

/** The tracking URL of a parcel; empty if there is no template or no number yet. */
export function trackingUrl(template: string, trackingNumber: string): string {
  const number = trackingNumber.trim()
  return template === '' || number === '' ? '' : template.replaceAll(PLACE, encodeURIComponent(number))
}

/** The method with the requested title, or the first one for the parcel; undefined if there is none. */
export function chooseMethod(
  methods: readonly PricedMethod[],
  title: string | undefined,
  parcel: Parcel,
): PricedMethod | undefined {
  const fitting = methodsFor(methods, parcel)
  if (title === undefined) return fitting[0]
  return fitting.find((method) => method.title.toLowerCase() === title.trim().toLowerCase())
}

/**
 * The methods that ship a parcel, with the price for its weight. The first one is taken unless another is chosen.
 */
export function methodsFor(methods: readonly PricedMethod[], { country, grams }: Parcel): PricedMethod[] {
  return methods
    .filter(({ countries }) => countries.length === 0 || countries.includes(country))
    .flatMap((method) => pricedByWeight(method, grams))
}

/** The method with the price of its lightest rate that fits; nothing if the parcel is too heavy for all of them. */
function pricedByWeight(method: PricedMethod, grams: number): PricedMethod[] {
  if (method.weight_rates.length === 0) return [method]
  const rate = method.weight_rates.find(({ weight_max }) => weight_max === null || grams <= weight_max)
  if (rate === undefined) return []
  return [{ ...method, price: method.rate_prices.find(({ id }) => id === rate.price_id) ?? null }]
}
