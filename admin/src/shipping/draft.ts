import { centsIn } from '../words/format.ts'
import type { ShippingMethod } from './queries.ts'

/** A line of the table of weights, as it is typed: kilograms, or nothing for any weight. */
export type RateDraft = { kilograms: string; amount: string; price_id: number | null }

export type MethodDraft = {
  title: string
  countries: readonly string[]
  mode: 'one' | 'weight'
  amount: string
  /** The price model of the amount, as long as nobody types another one: it may have other currencies. */
  price_id: number | null
  rates: readonly RateDraft[]
  freeFrom: string
  daysMin: string
  daysMax: string
  tracking_company: string
  tracking_url: string
}

/** What shipping costs. An amount that nobody has changed keeps its price model. */
export type Cost =
  | { mode: 'one'; cents: number; price_id: number | null }
  | { mode: 'weight'; rates: { weight_max: number | null; cents: number; price_id: number | null }[] }

export type MethodChanges = Partial<
  Pick<
    ShippingMethod,
    | 'title'
    | 'countries'
    | 'free_from'
    | 'delivery_days_min'
    | 'delivery_days_max'
    | 'tracking_company'
    | 'tracking_url'
  >
> & { cost?: Cost }

export const NEW_RATE: RateDraft = { kilograms: '', amount: '', price_id: null }

export const NEW_METHOD: MethodDraft = {
  title: '',
  countries: [],
  mode: 'one',
  amount: '',
  price_id: null,
  rates: [],
  freeFrom: '',
  daysMin: '',
  daysMax: '',
  tracking_company: '',
  tracking_url: '',
}

const GRAMS = 1000

export const typedOf = (cents: number | undefined) =>
  cents === undefined || cents === 0 ? '' : (cents / 100).toFixed(2)

export function draftOf(method: ShippingMethod, centsOf: (id: number | null) => number | undefined): MethodDraft {
  const text = (value: number | null) => (value === null ? '' : String(value))
  return {
    title: method.title,
    countries: method.countries,
    mode: method.weight_rates.length > 0 ? 'weight' : 'one',
    amount: typedOf(centsOf(method.price_id)),
    price_id: method.price_id,
    rates: method.weight_rates.map(({ weight_max, price_id }) => ({
      kilograms: weight_max === null ? '' : String(weight_max / GRAMS),
      amount: typedOf(centsOf(price_id)),
      price_id,
    })),
    freeFrom: method.free_from === null ? '' : (method.free_from / 100).toFixed(2),
    daysMin: text(method.delivery_days_min),
    daysMax: text(method.delivery_days_max),
    tracking_company: method.tracking_company,
    tracking_url: method.tracking_url,
  }
}

/** Grams in a weight that was typed in kilograms; null: any weight, undefined: it is none. */
export function gramsIn(typed: string): number | null | undefined {
  const text = typed.trim().replace(',', '.')
  if (text === '') return null
  const grams = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * GRAMS) : 0
  return grams > 0 ? grams : undefined
}

/** Cents in an amount that was typed; nothing typed is nothing to pay. */
export const costIn = (typed: string): number | undefined => (typed.trim() === '' ? 0 : centsIn(typed))

export const isAmount = (typed: string) => costIn(typed) !== undefined
export const isWeight = (typed: string) => gramsIn(typed) !== undefined
export const isDays = (typed: string) => /^\d{0,3}$/.test(typed.trim())

/** Is there nothing in it that the fields say is wrong? */
export function isReadable({ mode, amount, rates, freeFrom, daysMin, daysMax }: MethodDraft): boolean {
  const isCost =
    mode === 'one' ? isAmount(amount) : rates.every((rate) => isAmount(rate.amount) && isWeight(rate.kilograms))
  return isCost && isAmount(freeFrom) && isDays(daysMin) && isDays(daysMax)
}

/** An amount that is still that of its model is not written anew. */
const priceOf = (typed: string, price_id: number | null) =>
  price_id === null ? { cents: costIn(typed) ?? 0, price_id } : { cents: 0, price_id }

function costOf({ mode, amount, price_id, rates }: MethodDraft): Cost {
  if (mode === 'one' || rates.length === 0) return { mode: 'one', ...priceOf(amount, price_id) }
  return {
    mode,
    rates: rates.map((rate) => ({
      weight_max: gramsIn(rate.kilograms) ?? null,
      ...priceOf(rate.amount, rate.price_id),
    })),
  }
}

const daysIn = (typed: string) => (typed.trim() === '' ? null : Number(typed))

function inputOf(draft: MethodDraft): Required<MethodChanges> {
  return {
    title: draft.title.trim(),
    countries: [...draft.countries],
    cost: costOf(draft),
    free_from: draft.freeFrom.trim() === '' ? null : (costIn(draft.freeFrom) ?? null),
    delivery_days_min: daysIn(draft.daysMin),
    delivery_days_max: daysIn(draft.daysMax),
    tracking_company: draft.tracking_company.trim(),
    tracking_url: draft.tracking_url.trim(),
  }
}

/** What differs, as the API takes it. */
export function changesIn(before: MethodDraft, after: MethodDraft): MethodChanges {
  const [old, now] = [inputOf(before), inputOf(after)]
  const names = Object.keys(now) as (keyof MethodChanges)[]
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  return Object.fromEntries(changed.map((name) => [name, now[name]]))
}

/** A new method, as the API takes it. */
export const newMethodIn = (draft: MethodDraft): MethodChanges & { title: string } => inputOf(draft)
