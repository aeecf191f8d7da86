import { accentOf, type Shades } from '#catalog/theme-settings/accent.rules.ts'

/** The accent as a stylesheet: pages have no inline styles, so a colour of its own is a file of its own. */
export function accentCss(colour: string): string {
  const { light, dark } = accentOf(colour)
  const shades = ({ accent, strong, tint, on }: Shades) =>
    `--accent:${accent};--accent-strong:${strong};--accent-tint:${tint};--on-accent:${on}`
  const always = `--accent-dark:${dark.accent};--accent-dark-strong:${dark.strong};--on-accent-dark:${dark.on}`
  return `:root{${shades(light)};${always}}@media (prefers-color-scheme:dark){:root{${shades(dark)}}}\n`
}
