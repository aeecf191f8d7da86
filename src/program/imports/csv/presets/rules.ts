import { columnName } from '../file.ts'
import type { CsvKind } from '../source.ts'
import { SHOPIFY_CUSTOMERS, SHOPIFY_PRODUCTS } from './shopify.facts.ts'
import type { OtherShop, Preset, Why } from './state.ts'
import { WOOCOMMERCE_ANALYTICS_CUSTOMERS, WOOCOMMERCE_CUSTOMERS, WOOCOMMERCE_PRODUCTS } from './woocommerce.facts.ts'

const PRESETS: readonly Preset[] = [
  WOOCOMMERCE_PRODUCTS,
  WOOCOMMERCE_CUSTOMERS,
  WOOCOMMERCE_ANALYTICS_CUSTOMERS,
  SHOPIFY_PRODUCTS,
  SHOPIFY_CUSTOMERS,
]

/** The export that a file is by its columns; undefined if it is none that is known. */
export function findPreset(headings: readonly string[]): Preset | undefined {
  const names = new Set(headings.map(columnName))
  return PRESETS.find(({ marks }) => marks.every((mark) => mark.some((name) => names.has(name))))
}

/** How an export of a shop is read: of several kinds of export, the one whose columns the file has most of. */
export function presetOf(
  shop: OtherShop | null,
  kind: CsvKind | null,
  headings: readonly string[],
): Preset | undefined {
  if (shop === null || kind === null) return undefined
  const names = headings.map(columnName)
  const known = ({ fields }: Preset) => names.filter((name) => name in fields).length
  return PRESETS.filter((preset) => preset.shop === shop && preset.kind === kind).sort(
    (one, other) => known(other) - known(one),
  )[0]
}

/** The field that a column fills in such an export; undefined if it fills none. */
export function fieldIn(preset: Preset, heading: string, byName: string | undefined): string | undefined {
  return preset.fields[columnName(heading)] ?? (preset.knowsOthers ? byName : undefined)
}

/** Why a column of such an export fills no field; null if nothing is known about it. */
export function whyLeft(preset: Preset | undefined, heading: string): Why | null {
  const name = columnName(heading)
  return preset?.left.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
