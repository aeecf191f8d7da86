import type { Font } from 'harfbuzzjs'
import type { Outline } from './true-type.ts'

type HarfBuzz = typeof import('harfbuzzjs')

/** Traces the outline of a glyph. */
type Pen = (font: Font, glyph: number) => Outline

let thePen: Pen | undefined

/** The only pen: each one adds functions to HarfBuzz that are compiled, which takes longer than a thousand outlines. */
export function penOf(harfbuzz: HarfBuzz): Pen {
  thePen ??= createPen(harfbuzz)
  return thePen
}

function createPen({ DrawFuncs }: HarfBuzz): Pen {
  let outline: Outline = []
  const add = (x: number, y: number, onCurve: boolean) =>
    outline.at(-1)?.push({ x: Math.round(x), y: Math.round(y), onCurve })
  const draw = new DrawFuncs()
  draw.setMoveToFunc((x, y) => {
    outline.push([])
    add(x, y, true)
  })
  draw.setLineToFunc((x, y) => add(x, y, true))
  draw.setQuadraticToFunc((cx, cy, x, y) => {
    add(cx, cy, false)
    add(x, y, true)
  })
  return (font, glyph) => {
    outline = []
    font.drawGlyph(glyph, draw)
    return outline
  }
}
