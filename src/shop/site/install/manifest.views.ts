import type { IconSource } from '#catalog/pictures/rules.ts'
import { accentOf, type Shades } from '#catalog/theme-settings/accent.rules.ts'
import { initial } from '#platform/pages/layout.ts'
import { directionOf, shopText } from '../rules.ts'
import type { ShopVisit } from '../state.ts'

/** The accent of the default theme. */
const OWN_ACCENT = '#0b6b57'
const PAPER = '#f6f7f6'
const SHORT_NAME_MAX = 20

export const ICON_SIZES = [180, 192, 512] as const

const nameOf = ({ shop, languages }: ShopVisit, host: string) => shopText(shop, languages, 'shop_name')?.text ?? host

/** Every page has an icon, and finding the shades of a colour takes longer than remembering them. */
const known = new Map<string, Shades>()
const KNOWN_MAX = 1000

function accentFor({ shop }: ShopVisit): Shades {
  const colour = shop.accent_color || OWN_ACCENT
  const before = known.get(colour)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const { light } = accentOf(colour)
  known.set(colour, light)
  return light
}

/** The description with which browsers install My Content as an app (W3C Web Application Manifest). */
export function manifestOf(visit: ShopVisit, host: string) {
  const { base, language } = visit
  const name = nameOf(visit, host)
  return {
    id: `${base}/`,
    name,
    short_name: name.length > SHORT_NAME_MAX ? `${name.slice(0, SHORT_NAME_MAX - 1)}…` : name,
    lang: language,
    dir: directionOf(language),
    start_url: `${base}/my-content`,
    scope: `${base}/`,
    display: 'standalone',
    theme_color: accentFor(visit).accent,
    background_color: PAPER,
    icons: ICON_SIZES.map((size) => ({
      src: `${base}/icons/${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
    })),
  }
}

/** The icon of the shop, or its initial in its colours. */
export function iconSourceOf(visit: ShopVisit, host: string): IconSource {
  const { company_id: companyId, icon } = visit.shop
  return icon === null ? letterOf(visit, host) : { kind: 'picture', companyId, ...icon }
}

/** The initial of the shop in its colours. */
export function letterOf(visit: ShopVisit, host: string) {
  const { accent, on } = accentFor(visit)
  return { kind: 'letter', letter: initial(nameOf(visit, host)), colour: accent, on } as const
}
