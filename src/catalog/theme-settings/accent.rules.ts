/** The colours that a shop's accent becomes, on light and on dark pages. */
export type Accent = { light: Shades; dark: Shades }

/** `accent` for links and buttons, `strong` while the pointer is over them, `tint` behind, `on` for text on it. */
export type Shades = { accent: string; strong: string; tint: string; on: string }

type Oklch = { lightness: number; chroma: number; hue: number }

/** WCAG 2.2, success criterion 1.4.3: text has to stand out from what is behind it this much. */
const CONTRAST_MIN = 4.5

const LIGHT_PAPER = '#f6f7f6'
const DARK_CARD = '#191f1d'
const WHITE = '#ffffff'
const STEP = 0.005

/**
 * The shades of an owner's colour (`#rrggbb`). The hue stays; a colour that would be hard to read becomes darker on light
 * pages and lighter on dark ones, as far as needed.
 */
export function accentOf(colour: string): Accent {
  const own = toOklch(colour)
  const tint = toHex({ ...own, lightness: 0.95, chroma: Math.min(own.chroma, 0.03) })
  const light = until({ ...own }, -STEP, (shade) =>
    [LIGHT_PAPER, WHITE, tint].every((behind) => contrast(shade, behind) >= CONTRAST_MIN),
  )
  const darkTint = toHex({ ...own, lightness: 0.29, chroma: Math.min(own.chroma, 0.04) })
  const dark = until(
    { ...own, lightness: Math.max(own.lightness, 0.8), chroma: Math.min(own.chroma, 0.12) },
    STEP,
    (shade) => [DARK_CARD, darkTint].every((behind) => contrast(shade, behind) >= CONTRAST_MIN),
  )
  const onDark = until(
    { ...own, lightness: 0.24, chroma: Math.min(own.chroma, 0.08) },
    -STEP,
    (shade) => contrast(shade, toHex(dark)) >= CONTRAST_MIN,
  )
  return {
    light: { accent: toHex(light), strong: toHex({ ...light, lightness: light.lightness - 0.09 }), tint, on: WHITE },
    dark: {
      accent: toHex(dark),
      strong: toHex({ ...dark, lightness: Math.min(0.97, dark.lightness + 0.08) }),
      tint: darkTint,
      on: toHex(onDark),
    },
  }
}

function until(start: Oklch, step: number, isGood: (shade: string) => boolean): Oklch {
  let shade = start
  while (!isGood(toHex(shade)) && shade.lightness > 0 && shade.lightness < 1)
    shade = { ...shade, lightness: Math.min(1, Math.max(0, shade.lightness + step)) }
  return shade
}

/** The contrast ratio of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Triple = [number, number, number]

function linear(colour: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

/** Oklch changes the lightness of a colour without changing its hue to the eye (Björn Ottosson, 2020). */
function toOklch(colour: string): Oklch {
  const [r, g, b] = linear(colour)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const d = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, d),
    hue: Math.atan2(d, a),
  }
}

/** The colour on a screen. One that no screen can show loses chroma until one can. */
function toHex(colour: Oklch): string {
  let { chroma } = colour
  let parts = toLinear({ ...colour, chroma })
  while (chroma > 0.001 && parts.some((part) => part < -0.0005 || part > 1.0005)) {
    chroma *= 0.96
    parts = toLinear({ ...colour, chroma })
  }
  return `#${parts.map((part) => hexOf(Math.min(1, Math.max(0, part)))).join('')}`
}

function toLinear({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos(hue)
  const d = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * d) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * d) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * d) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function hexOf(part: number): string {
  const value = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055
  return Math.round(value * 255)
    .toString(16)
    .padStart(2, '0')
}
