import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentCss } from '#shop/themes/accent-css.rules.ts'
import { accentOf, contrast } from './accent.rules.ts'

const PAPER = '#f6f7f6'
const DARK = '#191f1d'

test('any colour becomes one that can be read, on light and on dark pages', () => {
  const parts = ['00', '33', '66', '99', 'cc', 'ff']
  const colours = parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => `#${r}${g}${b}`)))
  for (const colour of colours) {
    const { light, dark } = accentOf(colour)
    for (const [text, behind] of [
      [light.accent, PAPER],
      [light.accent, light.tint],
      [light.on, light.accent],
      [light.on, light.strong],
      [dark.accent, DARK],
      [dark.accent, dark.tint],
      [dark.on, dark.accent],
      [dark.on, dark.strong],
    ] as const)
      assert.ok(contrast(text, behind) >= 4.5, `${colour}: ${text} on ${behind} ${contrast(text, behind)}`)
  }
})

test('a colour that can be read stays as it is', () => {
  for (const colour of ['#7b2d72', '#0b6b57', '#000000', '#1a4fa0']) assert.equal(accentOf(colour).light.accent, colour)
  assert.match(accentCss('#7b2d72'), /^:root\{--accent:#7b2d72;.*@media \(prefers-color-scheme:dark\)/)
})

test('contrast is measured as WCAG says', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})
