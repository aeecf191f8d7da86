import { columnName } from '../file.ts'
import type { CsvKind } from '../kinds.facts.ts'
import { GUMROAD_SALES } from './gumroad.facts.ts'
import { SHOPIFY_CUSTOMERS, SHOPIFY_PRODUCTS, SHOPIFY_SALES } from './shopify.facts.ts'
import type { OtherShop, Preset, Why } from './state.ts'
import {
  WOOCOMMERCE_ANALYTICS_CUSTOMERS,
  WOOCOMMERCE_CUSTOMERS,
  WOOCOMMERCE_PRODUCTS,
  WOOCOMMERCE_SALES,
} from './woocommerce.facts.ts'

const PRESETS: readonly Preset[] = [
  GUMROAD_SALES,
  SHOPIFY_SALES,
  WOOCOMMERCE_SALES,
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

/**
 * The fields that columns fill: in the export of another shop those of the preset, otherwise those of their names. Of several
 * columns that the preset names for a field, the one counts that it names first.
 */
export function knownFields(
  preset: Preset | undefined,
  headings: readonly string[],
  fieldByName: (heading: string) => string | undefined,
): Map<string, string | null> {
  const names = new Set(headings.map(columnName))
  const counting = new Map<string, string>()
  for (const [name, field] of Object.entries(preset?.fields ?? {}))
    if (names.has(name) && !counting.has(field)) counting.set(field, name)
  const fieldFor = (heading: string): string | null => {
    const name = columnName(heading)
    const field = preset?.fields[name]
    if (field !== undefined) return counting.get(field) === name ? field : null
    return (preset === undefined || preset.knowsOthers ? fieldByName(heading) : undefined) ?? null
  }
  return new Map(headings.map((heading) => [heading, fieldFor(heading)]))
}

/** Why a column of such an export fills no field; null if nothing is known about it. */
export function whyLeft(preset: Preset | undefined, heading: string): Why | null {
  const name = columnName(heading)
  return preset?.left.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
