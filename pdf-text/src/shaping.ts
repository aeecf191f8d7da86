import { createRequire } from 'node:module'
import type { Bidi } from 'bidi-js'
import type { Font } from 'harfbuzzjs'
import { familiesFor, findFilesWith, readFontFile, readInter, WEIGHTS, type Weight } from './font-files.ts'
import { penOf } from './pen.ts'
import type { Outline } from './true-type.ts'

/** All fonts are drawn on a grid of this many units, so that their glyphs fit into one. */
export const UNITS_PER_EM = 2000

type HarfBuzz = typeof import('harfbuzzjs')

/** A font file that is open, and the letters that it has. */
type Face = { font: Font; has: ReadonlySet<number> }

/** A glyph of a line and where it goes from where the one before it ended. */
export type PlacedGlyph = {
  /** Equal for equal glyphs. */
  key: string
  advance: number
  /** The advance of the glyph on its own. */
  width: number
  shiftX: number
  shiftY: number
  outline: () => Outline
}

/** The glyphs that show a piece of text: often one letter and one glyph. */
export type Cluster = { text: string; glyphs: PlacedGlyph[] }

/** Lays out lines of text in one weight, from left to right as they are seen. */
export type Shaper = (line: string) => Cluster[]

export type Shapers = { plain: Shaper; bold: Shaper; has: (letter: string) => boolean }

/** Opens the fonts that have the letters of a text. */
export async function createShapers(text: string, country: string): Promise<Shapers> {
  // Loaded with the first document that needs it, so that a start does not wait for it.
  const harfbuzz = await import('harfbuzzjs')
  bidi ??= loadBidi()
  const faces: Faces[] = []
  // Each letter with the first font that has it: a long text needs a hundred fonts, and asks for each of its letters.
  const places = new Map<number, number>()
  const codes = codesOf(text)
  const addFace = (face: Faces) => {
    for (const code of face.plain.has) if (!places.has(code)) places.set(code, faces.length)
    faces.push(face)
  }
  addFace(await openInter(harfbuzz))
  for (const family of familiesFor(text, country)) {
    const lacking = codes.filter((code) => !places.has(code))
    if (lacking.length === 0) break
    for (const name of await findFilesWith(family, lacking)) addFace(await openFile(harfbuzz, family, name))
  }
  const shaperOf = (weight: Weight, algorithm: Bidi) => {
    const inWeight = faces.map((face) => face[weight])
    return (line: string) =>
      visualRuns(runsOf(line, inWeight, places, algorithm)).flatMap((run) => shapeRun(harfbuzz, run, inWeight))
  }
  return {
    plain: shaperOf('plain', bidi),
    bold: shaperOf('bold', bidi),
    has: (letter) => places.has(letter.codePointAt(0) ?? 0),
  }
}

let bidi: Bidi | undefined

type Faces = Record<Weight, Face>

let inter: Faces | undefined

async function openInter(harfbuzz: HarfBuzz): Promise<Faces> {
  inter ??= {
    plain: openFace(harfbuzz, await readInter('plain'), 'plain'),
    bold: openFace(harfbuzz, await readInter('bold'), 'bold'),
  }
  return inter
}

/** Open files take 20 MB at most. Most documents of a shop need the same ones. */
const OPEN_MAX = 100
const opened = new Map<string, Faces>()

async function openFile(harfbuzz: HarfBuzz, family: string, name: string): Promise<Faces> {
  const key = `${family} ${name}`
  const known = opened.get(key)
  if (known !== undefined) return known
  const bytes = await readFontFile(family, name)
  const faces = { plain: openFace(harfbuzz, bytes, 'plain'), bold: openFace(harfbuzz, bytes, 'bold') }
  if (opened.size >= OPEN_MAX) opened.clear()
  opened.set(key, faces)
  return faces
}

/** The types of the package are those of a CommonJS module with another default export than it has. */
function loadBidi(): Bidi {
  const createBidi: () => Bidi = createRequire(import.meta.url)('bidi-js')
  return createBidi()
}

function codesOf(text: string): number[] {
  return [...new Set(text)]
    .filter((letter) => !/[\p{Cc}\p{Cs}]/u.test(letter))
    .map((letter) => letter.codePointAt(0) ?? 0)
}

function openFace({ Blob, Face, Font, Variation }: HarfBuzz, bytes: Uint8Array, weight: Weight): Face {
  const face = new Face(new Blob(bytes))
  const font = new Font(face)
  font.setScale(UNITS_PER_EM, UNITS_PER_EM)
  font.setVariations([new Variation('wght', WEIGHTS[weight])])
  return { font, has: new Set(face.collectUnicodes()) }
}

/** Begins or ends a part of the text with a direction of its own. */
function isDirection(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}

/** A part of a line in one font and one direction. Those with an odd level are written from right to left. */
type Run = { text: string; level: number; face: number }

/** Marks belong to the letter before them, and a space to the word. */
const STAYS = /[\p{M}\p{Cf}\s]/u

function runsOf(line: string, faces: readonly Face[], places: ReadonlyMap<number, number>, bidi: Bidi): Run[] {
  const { levels } = bidi.getEmbeddingLevels(line)
  const runs: Run[] = []
  let at = 0
  for (const letter of line) {
    const code = letter.codePointAt(0) ?? 0
    const level = levels[at] ?? 0
    at += letter.length
    // It has said which level the letters have, and has no glyph.
    if (isDirection(code)) continue
    const run = runs.at(-1)
    const stays = run !== undefined && STAYS.test(letter) && faces[run.face]?.has.has(code) === true
    const face = stays ? run.face : (places.get(code) ?? 0)
    if (run?.level === level && run.face === face) run.text += letter
    else runs.push({ text: letter, level, face })
  }
  return runs
}

/** The runs from left to right, by rule L2 of the Unicode Bidirectional Algorithm. */
function visualRuns(runs: readonly Run[]): Run[] {
  let ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    const next: Run[] = []
    let reversed: Run[] = []
    for (const run of ordered) {
      if (run.level >= level) reversed.unshift(run)
      else {
        next.push(...reversed, run)
        reversed = []
      }
    }
    ordered = [...next, ...reversed]
  }
  return ordered
}

function shapeRun(harfbuzz: HarfBuzz, { text, level, face }: Run, faces: readonly Face[]): Cluster[] {
  const font = faces[face]?.font
  if (font === undefined) return []
  const { Buffer, ClusterLevel, Direction, shape } = harfbuzz
  const buffer = new Buffer()
  buffer.addText(text)
  buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)
  shape(font, buffer)
  const glyphs = buffer.getGlyphInfosAndPositions()
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((one, other) => one - other)
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1]]))
  return [...Map.groupBy(glyphs, ({ cluster }) => cluster)].map(([start, ofCluster]) => ({
    text: text.slice(start, ends.get(start)),
    glyphs: ofCluster.map(({ codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
      key: `${face} ${codepoint}`,
      advance: xAdvance,
      width: font.glyphHAdvance(codepoint),
      shiftX: xOffset,
      shiftY: yOffset,
      outline: () => penOf(harfbuzz)(font, codepoint),
    })),
  }))
}
