import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { currencyUnknown } from '#catalog/currency-rates/errors.ts'
import { allowsCountry } from '#catalog/licenses/rules.ts'
import {
  licenseNotValid,
  priceNotValid,
  productUnknown,
  productWithoutContent,
  productWithoutPrice,
} from '#catalog/products/errors.ts'
import {
  awaitsContent,
  chooseBinding,
  chooseParts,
  gramsOf,
  hasContentOfOthers,
  isDeliverable,
  isHd,
  isPreOrder,
  type Kind,
  kindOf,
  objectionToSale,
  type WantedBinding,
} from '#catalog/products/sale/rules.ts'
import type { BindingForSale, ForSale, LicenseForSale, PriceForSale } from '#catalog/products/sale/state.ts'
import { isContent } from '#catalog/products/types.facts.ts'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { isGiven, isPlace } from '#identity/addresses/rules.ts'
import type { AddressState } from '#identity/addresses/state.ts'
import type { RelationState } from '#people/customers/state.ts'
import { type Fault, FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { tooManyPieces } from '#rights/entitlements/errors.ts'
import { PIECES_MAX } from '#rights/entitlements/rules.ts'
import { tooManyUses } from '#rights/redemption-codes/errors.ts'
import { USES_MAX } from '#rights/redemption-codes/schema.ts'
import { isSoftware } from '#rights/software-keys/rules.ts'
import { objectionToCode } from '#selling/discount-codes/rules.ts'
import type { DiscountCodeState } from '#selling/discount-codes/state.ts'
import { chooseMethod } from '#selling/shipping-methods/rules.ts'
import type { Parcel, PricedMethod } from '#selling/shipping-methods/state.ts'
import { isReverseCharge } from '#selling/taxes/rules.ts'
import { readVatId } from '#selling/taxes/vat-ids.facts.ts'
import { countryOf, type Known, learnFrom } from '../buyers/rules.ts'
import {
  addressRequired,
  codeUnknown,
  countryNotAllowed,
  destinationNotServed,
  freeAndOnAccount,
  giftOfOthers,
  parcelTooHeavy,
  shippingMethodUnknown,
  shopUnknown,
  totalTooLarge,
  vatIdInvalid,
} from '../errors.ts'
import type { LineItemInput } from '../lines/schema.ts'
import { shippingAddress } from '../rules.ts'
import type { OrderInput } from '../schema.ts'
import type { Channel, SaleContext } from '../state.ts'
import { isRental } from '../statistics/rules.ts'
import { type Credit, creditOf, NO_RENTALS, type Rentals } from './credits.rules.ts'
import type { ChosenLine, Sale, Wanted } from './pricing.rules.ts'
import { sum } from './totals.rules.ts'

const VALID = 1
/** A hundred billion units: a higher total is a mistake, and numbers stay exact below it. */
const TOTAL_MAX_CENTS = 10_000_000_000_000

/** The goods, the customer and the address of an order, before it has a price. */
export type Draft = Wanted & { known: Known; address: AddressState | null; shopId: number; vatId: string }

/** What makes a line cheaper that is not in the catalog. */
export function withCredit(draft: Draft, credit: Credit | undefined): Draft {
  return credit === undefined ? draft : { ...draft, lines: draft.lines.map((line) => ({ ...line, credit })) }
}

/** Finds what an order asks for. Everything that cannot be sold is reported at once. */
export function draftOrder(
  input: OrderInput,
  context: SaleContext,
  own: RelationState,
  { source_name }: Pick<Channel, 'source_name'>,
  now: Date,
): Draft {
  const report = new FieldReport()
  // The customer is found already, and beside a token the other fields about the customer say nothing.
  const { email: _email, password: _password, customer_token: _token, customer, ...texts } = input
  const { first_name, last_name, addresses } = customer ?? {}
  reportUnstorable({ ...texts, customer: { first_name, last_name, addresses } }, report)
  const currency = input.currency?.trim().toUpperCase() || undefined
  if (currency !== undefined && !CURRENCY_CODES.has(currency)) report.add('currency', currencyUnknown())
  if (context.shopId === undefined && input.theme_setting_id) report.add('theme_setting_id', shopUnknown())
  const addressContext = { takeId: context.takeId, findCountry }
  const known = learnFrom(own, customer ?? {}, addressContext, report.within('customer.'))
  const country = countryOf(known)
  const vatId = input.vat_id?.trim() ? readVatId(input.vat_id) : undefined
  if (vatId === undefined && input.vat_id?.trim()) report.add('vat_id', vatIdInvalid())
  const isInShop = source_name === 'webshop'
  const rentals = input.generate_codes === true ? forOthers(context.rentals) : context.rentals
  const lines = chooseLines(input.line_items, context.products, country, now, report, isInShop, rentals)
  const hasGoods = lines.some(({ kind }) => kind === 'physical')
  const address = shippingAddress(input.shipping_address, known, hasGoods, addressContext, report)
  const place = isGiven(input.shipping_address) ? input.shipping_address : known.home
  if (hasGoods && (place === undefined || !isPlace(place))) report.add('shipping_address', addressRequired())
  const destination = address?.country_code || country
  const isFree = isGivenAway(input)
  const codes = isFree ? [] : chooseCodes(input.discount_codes ?? [], context.codes, now, report)
  if (isFree) checkGift(input, context.products, lines, report)
  const parcel = { country: destination || context.seller.country_code, grams: gramsIn(lines) }
  const method = hasGoods ? chooseShipping(context.methods, input.shipping_lines ?? [], parcel, report) : undefined
  checkTotal(lines, report)
  if (input.generate_codes === true) checkUses(lines, report)
  else checkPieces(lines, report)
  report.throwIfAny()
  const { seller, ownRates } = context
  const reverseCharge = isReverseCharge(seller.country_code, country, vatId?.country)
  const sale: Sale = { seller, country, destination, ownRates, currency, reverseCharge, isFree, now }
  return { lines, codes, method, sale, known, address, shopId: context.shopId ?? 0, vatId: vatId?.id ?? '' }
}

/** Does everything in an order cost nothing? */
export function isGivenAway({ free_reason }: Pick<OrderInput, 'free_reason'>): boolean {
  return Boolean(free_reason?.trim())
}

/** What belongs to others is not given away, and nobody pays a bill over nothing. */
function checkGift(
  { on_account, line_items }: OrderInput,
  products: SaleContext['products'],
  lines: readonly ChosenLine[],
  report: FieldReport,
): void {
  if (on_account === true) report.add('free_reason', freeAndOnAccount())
  const others = new Set(
    lines.filter(({ product, parts }) => hasContentOfOthers({ ...product, parts })).map(({ product }) => product.id),
  )
  for (const [index, { product_id }] of line_items.entries()) {
    // A product can be named in several ways, so that what was found is compared, and not its name.
    const found = products.get(product_id.trim())
    if (found !== undefined && others.has(found.id)) report.add(`line_items[${index}].product_id`, giftOfOthers())
  }
}

/** A gift keeps no rental. */
function forOthers(rentals: Rentals): Rentals {
  return new Map([...rentals.keys()].map((index) => [index, undefined]))
}

/** Finds what each line asks for and reports what cannot be sold. Apps may sell content before its file is there. */
export function chooseLines(
  sent: readonly LineItemInput[],
  products: ReadonlyMap<string, ForSale>,
  country: string,
  now: Date,
  report: FieldReport,
  isInShop = false,
  rentals = NO_RENTALS,
): ChosenLine[] {
  return sent.flatMap((line, index) => {
    const refuse = (field: string, fault: Fault) => {
      report.add(`line_items[${index}].${field}`, fault)
      return []
    }
    const product = products.get(line.product_id.trim())
    if (product === undefined) return refuse('product_id', productUnknown('the shop'))
    const objection = objectionToSale(product)
    if (objection !== undefined) return refuse('product_id', objection)
    const choice = chooseBinding(product, wantedBy(line))
    if (choice.kind === 'refused') return refuse(choice.field, choice.fault)
    const { binding } = choice
    if (binding.price === null) return refuse('product_id', productWithoutPrice())
    if (binding.price.valid !== VALID) return refuse('product_id', priceNotValid())
    if (isExpired(binding.license, now)) return refuse('license_id', licenseNotValid('has expired'))
    if (binding.license !== null && !allowsCountry(binding.license, country))
      return refuse('license_id', countryNotAllowed())
    const kind = kindOf(product.product_type, binding.license)
    const given = chooseParts(product, line.chosen_product_id?.trim() || undefined)
    if (given.kind === 'refused') return refuse('chosen_product_id', given.fault)
    const sold = { ...product, parts: given.parts }
    if (isInShop && awaitsContent(sold) && kind !== 'physical') return refuse('product_id', productWithoutContent())
    const rental = rentals.get(index)
    const credit = rental === undefined ? null : creditOf({ product, binding, kind }, rental, now)
    const isOne = credit !== null || (isInShop && isRentedOnce(product, binding, kind))
    return {
      product,
      parts: given.parts,
      binding,
      price: binding.price,
      kind,
      hd: isHd(product, binding),
      quantity: isOne ? 1 : (line.quantity ?? 1),
      isPreOrder: isPreOrder(product, now) || (isInShop && !isDeliverable(sold) && kind !== 'physical'),
      keepsRental: rentals.has(index),
      credit,
    }
  })
}

type Offer = { [Field in 'license_id' | 'hd' | 'audio_type' | 'num_users']?: LineItemInput[Field] | null | undefined }

function wantedBy({ license_id, hd, audio_type, num_users }: Offer): WantedBinding {
  return {
    license_id: license_id ?? 0,
    hd: hd ?? undefined,
    audio_type: audio_type ?? undefined,
    num_users: num_users ?? undefined,
  }
}

/** Does a shop sell one piece of the offer at a time? */
export function isSoldOnce(product: ForSale, offer: Offer): boolean {
  const choice = chooseBinding(product, wantedBy(offer))
  if (choice.kind === 'refused') return false
  const { binding } = choice
  return isRentedOnce(product, binding, kindOf(product.product_type, binding.license))
}

/**
 * Nobody watches the same thing twice at once, so a shop sells a rental once; an app that asks for more knows why. A program
 * is licensed for each of its seats, also for a time.
 */
function isRentedOnce({ product_type }: ForSale, { license }: BindingForSale, kind: Kind): boolean {
  return kind === 'digital' && isRental(license) && !isSoftware(product_type)
}

/** A license with a fixed end in the past gives nothing. */
function isExpired(license: LicenseForSale | null, now: Date): boolean {
  const end = license?.terms.expiration_date ?? null
  return end !== null && new Date(end) <= now
}

/** The discount codes that are sent, each once; those that are not valid are reported. */
function chooseCodes(
  sent: readonly { code: string }[],
  known: ReadonlyMap<string, DiscountCodeState>,
  now: Date,
  report: FieldReport,
): DiscountCodeState[] {
  const chosen = new Map<number, DiscountCodeState>()
  for (const [index, { code }] of sent.entries()) {
    const path = `discount_codes[${index}].code`
    const found = known.get(code)
    const objection = found === undefined ? codeUnknown() : objectionToCode(found, now)
    if (objection !== undefined) report.add(path, objection)
    else if (found !== undefined) chosen.set(found.id, found)
  }
  return [...chosen.values()]
}

/** What the goods among lines weigh. */
export function gramsIn(lines: readonly Pick<ChosenLine, 'product' | 'binding' | 'kind' | 'quantity'>[]): number {
  return sum(
    lines.map(({ product, binding, kind, quantity }) =>
      kind === 'physical' ? gramsOf(product, binding) * quantity : 0,
    ),
  )
}

/** The shipping method for goods. A company without shipping methods ships for free. */
function chooseShipping(
  methods: readonly PricedMethod[],
  sent: readonly { title?: string | null }[],
  parcel: Parcel,
  report: FieldReport,
): PricedMethod | undefined {
  const title = sent[0]?.title?.trim() || undefined
  const method = chooseMethod(methods, title, parcel)
  if (method === undefined && title !== undefined) report.add('shipping_lines[0].title', shippingMethodUnknown())
  else if (method === undefined && methods.length > 0) {
    const isTooHeavy = chooseMethod(methods, undefined, { ...parcel, grams: 0 }) !== undefined
    if (isTooHeavy) report.add('line_items', parcelTooHeavy())
    else report.add('shipping_address', destinationNotServed())
  }
  return method
}

/** Every piece of content becomes a row, unless it is left to a redemption code. */
function checkPieces(lines: readonly ChosenLine[], report: FieldReport): void {
  const pieces = sum(
    lines.map(({ product, parts, quantity }) =>
      isContent(product.product_type) ? quantity * (parts?.length ?? 1) : 0,
    ),
  )
  if (pieces > PIECES_MAX) report.add('line_items', tooManyPieces(PIECES_MAX))
}

/** A code has a limited number of uses: one for each user of each piece. */
function checkUses(lines: readonly ChosenLine[], report: FieldReport): void {
  if (lines.some(({ binding, quantity }) => quantity * (binding.num_users ?? 1) > USES_MAX))
    report.add('line_items', tooManyUses(USES_MAX))
}

function checkTotal(lines: readonly ChosenLine[], report: FieldReport): void {
  const highest = (price: PriceForSale) =>
    Math.max(0, ...[...price.countries, ...price.currencies].map(({ cents }) => cents))
  if (sum(lines.map(({ price, quantity }) => highest(price) * quantity)) > TOTAL_MAX_CENTS)
    report.add('line_items', totalTooLarge())
}
