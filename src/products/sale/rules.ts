import { isPhysical as isPhysicalLicense } from '#licenses/rules.ts'
import type { Fault } from '#platform/problem.ts'
import {
  licenseAmbiguous,
  licenseNotBound,
  licenseNotValid,
  productNotOffered,
  productNotPublished,
  productNotReleased,
  productWithoutPrice,
  resolutionNotSold,
} from '../errors.ts'
import { isPhysical } from '../rules.ts'
import type { NotForSaleReason } from '../state.ts'
import type { BindingForSale, ForSale } from './state.ts'

const SERVICE = 17
const HD_VIDEO = 9

/** The kind of a sale: goods are shipped, services are not, and everything else is delivered at once. */
export type Kind = 'digital' | 'physical' | 'service'

export function kindOf(productType: number, license: BindingForSale['license']): Kind {
  if (isPhysical(productType) || (license !== null && isPhysicalLicense(license))) return 'physical'
  return productType === SERVICE ? 'service' : 'digital'
}

/** Does any binding of the product have to be shipped? */
export function mayBeShipped({ product_type, bindings }: Pick<ForSale, 'product_type' | 'bindings'>): boolean {
  return bindings.some(({ license }) => kindOf(product_type, license) === 'physical')
}

/** Is the product not released yet? */
export function isPreOrder({ published_at }: Pick<ForSale, 'published_at'>, now: Date): boolean {
  return published_at !== null && published_at > now
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

export type Choice =
  | { kind: 'binding'; binding: BindingForSale; hd: boolean }
  | { kind: 'refused'; field: string; fault: Fault }

/**
 * The binding that a line requests. Without a license, or with license 0, it is the only one that there is. Between
 * several bindings of one license the resolution decides.
 */
export function chooseBinding(product: ForSale, licenseId: number, hd: boolean | undefined): Choice {
  const { bindings } = product
  const named = licenseId === 0 ? bindings : bindings.filter(({ license_id }) => license_id === licenseId)
  const licenses = new Set(named.map(({ license_id }) => license_id))
  if (bindings.length === 0) return { kind: 'refused', field: 'product_id', fault: productWithoutPrice() }
  if (named.length === 0) return { kind: 'refused', field: 'license_id', fault: licenseNotBound() }
  if (licenses.size > 1) return { kind: 'refused', field: 'license_id', fault: licenseAmbiguous() }
  const resolved = named.filter((binding) => binding.hd === null || binding.hd === (hd ?? false))
  const [binding] = resolved.length > 0 ? resolved : hd === true ? [] : named
  if (binding === undefined) return { kind: 'refused', field: 'hd', fault: resolutionNotSold() }
  if (binding.license !== null && binding.license.valid !== 1)
    return { kind: 'refused', field: 'license_id', fault: licenseNotValid('is no longer valid') }
  if (binding.license_id !== null && binding.license === null)
    return { kind: 'refused', field: 'license_id', fault: licenseNotValid('is no longer there') }
  return { kind: 'binding', binding, hd: binding.hd ?? (product.product_type === HD_VIDEO && hd !== false) }
}
