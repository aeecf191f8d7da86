import {
  beginText,
  type Color,
  endMarkedContent,
  endText,
  moveText,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  type PDFRef,
  PDFString,
  setFillingColor,
  setFontAndSize,
  setTextRise,
} from '@cantoo/pdf-lib'
import { type Cluster, type PlacedGlyph, type Shaper, UNITS_PER_EM } from './shaping.ts'
import { type Glyph, trueTypeFont } from './true-type.ts'

export type Place = { x: number; y: number; size: number; color: Color }

/** A font of a document: the glyphs that were drawn, from any font file. `finish` writes it into the document. */
export type EmbeddedFont = {
  ref: PDFRef
  widthOf: (line: string, size: number) => number
  /** Shows a line where the font and its size are set. */
  show: (line: string, size: number) => PDFOperator[]
  draw: (page: PDFPage, line: string, place: Place) => void
  finish: () => void
}

/** PDF counts a thousand units to the size of a font. */
const inPdf = (units: number) => (units * 1000) / UNITS_PER_EM

const hexOf = (value: number) => value.toString(16).toUpperCase().padStart(4, '0')

const MAPPINGS_MAX = 100

export function createEmbeddedFont(pdf: PDFDocument, name: string, shape: Shaper): EmbeddedFont {
  const ref = pdf.context.nextRef()
  const shaped = new Map<string, Cluster[]>()
  const numbers = new Map<string, number>()
  const glyphs: (Glyph & { text: string })[] = [{ outline: [], width: UNITS_PER_EM / 2, text: '' }]
  const names = new Map<PDFPage, PDFName>()

  const clustersOf = (line: string) => {
    const known = shaped.get(line) ?? shape(line)
    shaped.set(line, known)
    return known
  }
  const numberOf = ({ key, outline, width }: PlacedGlyph, text: string) => {
    const ofText = `${key} ${text}`
    const number = numbers.get(ofText) ?? glyphs.push({ outline: outline(), width, text }) - 1
    numbers.set(ofText, number)
    return number
  }
  const nameOn = (page: PDFPage) => {
    const known = names.get(page) ?? page.node.newFontDictionary(name, ref)
    names.set(page, known)
    return known
  }
  const show = (line: string, size: number) => showClusters(pdf, clustersOf(line), numberOf, size)
  return {
    ref,
    show,
    widthOf: (line, size) => {
      const advances = clustersOf(line).flatMap((cluster) => cluster.glyphs.map(({ advance }) => advance))
      return (advances.reduce((sum, advance) => sum + advance, 0) / UNITS_PER_EM) * size
    },
    draw: (page, line, { x, y, size, color }) => {
      page.pushOperators(
        beginText(),
        setFillingColor(color),
        setFontAndSize(nameOn(page), size),
        moveText(x, y),
        ...show(line, size),
        endText(),
      )
    },
    finish: () => {
      if (glyphs.length > 1) writeFont(pdf, ref, name, glyphs)
    },
  }
}

/** Shows glyphs, moved to where the layout wants them. */
function showClusters(
  { context }: PDFDocument,
  clusters: readonly Cluster[],
  numberOf: (glyph: PlacedGlyph, text: string) => number,
  size: number,
): PDFOperator[] {
  const operators: PDFOperator[] = []
  let shown: (PDFHexString | PDFNumber)[] = []
  let codes = ''
  const endCodes = () => {
    if (codes !== '') shown.push(PDFHexString.of(codes))
    codes = ''
  }
  const endShown = () => {
    endCodes()
    if (shown.length > 0) operators.push(PDFOperator.of(PDFOperatorNames.ShowTextAdjusted, [context.obj(shown)]))
    shown = []
  }
  let [rise, pen, wanted] = [0, 0, 0]
  for (const { text, glyphs } of clusters) {
    // The map of the font names the text of one glyph, so that of several is said here.
    const isMarked = glyphs.length > 1
    if (isMarked) {
      endShown()
      const properties = context.obj({ ActualText: PDFHexString.fromText(text) })
      operators.push(
        PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of('Span'), String(properties)]),
      )
    }
    for (const glyph of glyphs) {
      if (glyph.shiftY !== rise) {
        endShown()
        rise = glyph.shiftY
        operators.push(setTextRise((rise / UNITS_PER_EM) * size))
      }
      const start = wanted + glyph.shiftX
      if (start !== pen) {
        endCodes()
        shown.push(PDFNumber.of(inPdf(pen - start)))
      }
      codes += hexOf(numberOf(glyph, glyph === glyphs[0] ? text : ''))
      pen = start + glyph.width
      wanted += glyph.advance
    }
    if (isMarked) {
      endShown()
      operators.push(endMarkedContent())
    }
  }
  endShown()
  return rise === 0 ? operators : [...operators, setTextRise(0)]
}

function writeFont(pdf: PDFDocument, ref: PDFRef, name: string, glyphs: readonly (Glyph & { text: string })[]) {
  const { context } = pdf
  // The letters before the name say that the font has only some of its glyphs.
  const fontName = `LICETA+${name}`
  const file = context.register(context.flateStream(trueTypeFont(glyphs, UNITS_PER_EM)))
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: fontName,
      Flags: 4,
      ItalicAngle: 0,
      StemV: 80,
      FontFile2: file,
      FontBBox: [-500, -500, 2000, 1500],
      Ascent: 950,
      Descent: -250,
      CapHeight: 730,
    }),
  )
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: fontName,
      CIDToGIDMap: 'Identity',
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      W: [0, glyphs.map(({ width }) => inPdf(width))],
    }),
  )
  context.assign(
    ref,
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: fontName,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: context.register(context.flateStream(unicodeMap(glyphs.map(({ text }) => text)))),
    }),
  )
}

/** Says which text each glyph stands for, so that readers can search and copy it. */
function unicodeMap(texts: readonly string[]): string {
  const mappings = texts.flatMap((text, number) => {
    const units = Array.from({ length: text.length }, (_, index) => hexOf(text.charCodeAt(index)))
    return number === 0 ? [] : [`<${hexOf(number)}> <${units.join('') || '200B'}>`]
  })
  const blocks = Array.from({ length: Math.ceil(mappings.length / MAPPINGS_MAX) }, (_, block) => {
    const part = mappings.slice(block * MAPPINGS_MAX, (block + 1) * MAPPINGS_MAX)
    return `${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`
  })
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
