import { isPhysical as isPhysicalLicense } from '#catalog/licenses/rules.ts'
import type { Fault } from '#platform/errors/problem.ts'
import {
  choiceNotSold,
  choiceRequired,
  chosenNotIncluded,
  licenseAmbiguous,
  licenseNotBound,
  licenseNotValid,
  productNotOffered,
  productNotPublished,
  productNotReleased,
  productWithoutPrice,
  usersExceeded,
} from '../errors.ts'
import { isHdVideo, isPhysical } from '../rules.ts'
import type { NotForSaleReason } from '../state.ts'
import { mediumOf, productTypeOf } from '../types.facts.ts'
import type { BindingForSale, ForSale, LicenseForSale, PartForSale } from './state.ts'

/** The kind of a sale: goods are shipped, services are not, and everything else is delivered at once. */
export type Kind = 'digital' | 'physical' | 'service'

export function kindOf(productType: number, license: Pick<LicenseForSale, 'physical'> | null): Kind {
  if (isPhysical(productType) || (license !== null && isPhysicalLicense(license))) return 'physical'
  return mediumOf(productType) === 'service' ? 'service' : 'digital'
}

/** Does any binding of the product have to be shipped? */
export function mayBeShipped({ product_type, bindings }: Pick<ForSale, 'product_type' | 'bindings'>): boolean {
  return bindings.some(({ license }) => kindOf(product_type, license) === 'physical')
}

/** Is the product not released yet? */
export function isPreOrder({ published_at }: Pick<ForSale, 'published_at'>, now: Date): boolean {
  return published_at !== null && published_at > now
}

type Delivered = { has_content: boolean; parts: readonly { has_content: boolean }[] | null }

/** Is there something to deliver? A collection delivers what its products have. */
export function isDeliverable({ has_content, parts }: Delivered): boolean {
  return has_content && (parts === null || parts.some((part) => part.has_content))
}

/** Shops sell content that is not there yet before its release only, as a pre-order. */
export function awaitsContent(product: Delivered & Pick<ForSale, 'pre_sales'>): boolean {
  return !product.pre_sales && !isDeliverable(product)
}

/** Is it mirrored, or does a collection include something that is? Its owner gets a share of its price. */
export function hasContentOfOthers({ share, parts }: Pick<ForSale, 'share' | 'parts'>): boolean {
  return share !== null || (parts ?? []).some(({ company_id, content_company_id }) => company_id !== content_company_id)
}

const NOT_FOR_SALE: Record<NotForSaleReason, () => Fault> = {
  'not published': productNotPublished,
  'no longer valid': productNotOffered,
  'not released yet': productNotReleased,
}

/** Says why a product cannot be sold; undefined if it can. */
export function objectionToSale({ not_for_sale }: Pick<ForSale, 'not_for_sale'>): Fault | undefined {
  return not_for_sale === null ? undefined : NOT_FOR_SALE[not_for_sale]()
}

/** What a line item says about the binding that it wants; undefined if it says nothing. */
export type WantedBinding = {
  license_id: number
  hd: boolean | undefined
  audio_type: number | undefined
  num_users: number | undefined
}

export type Choice = { kind: 'binding'; binding: BindingForSale } | { kind: 'refused'; field: string; fault: Fault }

/** The attributes that tell several bindings of one license apart, in the order in which they choose. */
const TELLING = ['hd', 'audio_type', 'num_users'] as const

/** What a line means that does not choose: standard definition, the kind of audio of the first binding, and one user. */
function plainValue(field: (typeof TELLING)[number], left: readonly BindingForSale[]): boolean | number | null {
  if (field === 'hd') return false
  return field === 'num_users' ? 1 : (left[0]?.audio_type ?? null)
}

/**
 * The binding that a line requests. Without a license, or with license 0, it is the only one that there is. If a license
 * has several bindings, the other attributes choose between them; if there is only one, it is taken. It never gives fewer
 * users than the line asks for, because somebody has paid for them.
 */
export function chooseBinding({ bindings }: Pick<ForSale, 'bindings'>, wanted: WantedBinding): Choice {
  const { license_id: licenseId } = wanted
  const named = licenseId === 0 ? bindings : bindings.filter(({ license_id }) => license_id === licenseId)
  const licenses = new Set(named.map(({ license_id }) => license_id))
  if (bindings.length === 0) return refused('product_id', productWithoutPrice())
  if (named.length === 0) return refused('license_id', licenseNotBound())
  if (licenses.size > 1) return refused('license_id', licenseAmbiguous())
  const choice = narrow(named, { ...wanted, num_users: wanted.num_users || undefined })
  if (choice.kind === 'refused') return choice
  const users = choice.binding.num_users ?? 1
  return (wanted.num_users ?? 1) > users ? refused('num_users', usersExceeded(users)) : choice
}

function narrow(named: readonly BindingForSale[], wanted: WantedBinding): Choice {
  let left = named
  for (const field of TELLING) {
    const values = new Set(left.map((binding) => binding[field]))
    if (values.size < 2) continue
    const value = wanted[field] ?? plainValue(field, left)
    const matching = left.filter((binding) => binding[field] === value)
    left = matching.length > 0 ? matching : left.filter((binding) => binding[field] === null)
    if (left.length === 0) return refused(field, wanted[field] === undefined ? choiceRequired() : choiceNotSold())
  }
  const [binding] = left
  return binding === undefined ? refused('license_id', licenseNotBound()) : isUsable(binding)
}

function isUsable(binding: BindingForSale): Choice {
  if (binding.license !== null && binding.license.valid !== 1)
    return refused('license_id', licenseNotValid('is no longer valid'))
  if (binding.license_id !== null && binding.license === null)
    return refused('license_id', licenseNotValid('is no longer there'))
  return { kind: 'binding', binding }
}

function refused(field: string, fault: Fault): Choice {
  return { kind: 'refused', field, fault }
}

const POUNDS = 1
const GRAMS_PER_POUND = 453.592_37

/** The weight of one item: that of the goods, or that of the carrier that a license ships content on. */
export function gramsOf({ weight }: Pick<ForSale, 'weight'>, { license }: Pick<BindingForSale, 'license'>): number {
  if (weight !== null || license === null || !isPhysicalLicense(license)) return weight ?? 0
  const { physical_weight, physical_weight_type } = license
  return physical_weight_type === POUNDS ? Math.round(physical_weight * GRAMS_PER_POUND) : physical_weight
}

/** Is the video sold in high definition? */
export function isHd({ product_type }: Pick<ForSale, 'product_type'>, { hd }: Pick<BindingForSale, 'hd'>): boolean {
  return hd ?? isHdVideo(product_type)
}

export type ChosenParts = { kind: 'parts'; parts: PartForSale[] | null } | { kind: 'refused'; fault: Fault }

/** The products that a sale gives: all of a collection, the chosen one of a variation. Null: the product itself. */
export function chooseParts(
  { product_type, parts }: Pick<ForSale, 'product_type' | 'parts'>,
  chosen: string | undefined,
): ChosenParts {
  if (parts === null || productTypeOf(product_type).isChoice !== true) return { kind: 'parts', parts }
  const [only] = parts
  if (chosen === undefined && only !== undefined && parts.length === 1) return { kind: 'parts', parts: [only] }
  if (chosen === undefined) return { kind: 'refused', fault: choiceRequired() }
  const part = parts.find(({ product_id, id }) => product_id === chosen.toUpperCase() || String(id) === chosen)
  return part === undefined ? { kind: 'refused', fault: chosenNotIncluded() } : { kind: 'parts', parts: [part] }
}
