/** A point of an outline. One that is not on the curve controls it. */
export type Point = { x: number; y: number; onCurve: boolean }

export type Outline = Point[][]

export type Glyph = { outline: Outline; width: number }

const ASCENT = 0.95
const DESCENT = 0.25

/** Writes numbers one after another, as fonts do: the highest byte first. */
function bytesOf(...parts: [bits: 8 | 16 | 32, values: readonly number[]][]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, [bits, values]) => length + (bits / 8) * values.length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [bits, values] of parts)
    for (const value of values) {
      if (bits === 8) view.setUint8(at, value)
      else if (bits === 16) view.setInt16(at, value)
      else view.setUint32(at, value)
      at += bits / 8
    }
  return bytes
}

/** Tables and glyphs begin at multiples of four. */
function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, new Uint8Array(-bytes.length & 3)])
}

const steps = (values: readonly number[]) => values.map((value, index) => value - (values[index - 1] ?? 0))

function bounds(points: readonly Point[]): [number, number, number, number] {
  const [first] = points
  if (first === undefined) return [0, 0, 0, 0]
  let [left, bottom, right, top] = [first.x, first.y, first.x, first.y]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x)
    top = Math.max(top, y)
  }
  return [left, bottom, right, top]
}

function encodeGlyph({ outline }: Glyph): Uint8Array {
  const points = outline.flat()
  if (points.length === 0) return new Uint8Array(0)
  let last = -1
  const ends = outline.map((contour) => {
    last += contour.length
    return last
  })
  const xs = steps(points.map(({ x }) => x))
  const ys = steps(points.map(({ y }) => y))
  const flags = points.map(({ onCurve }) => (onCurve ? 1 : 0))
  return padded(bytesOf([16, [outline.length, ...bounds(points), ...ends, 0]], [8, flags], [16, xs], [16, ys]))
}

function checksum(table: Uint8Array): number {
  const view = new DataView(table.buffer, table.byteOffset)
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}

/** A TrueType font with the tables that a PDF needs. The first glyph is shown for what the font lacks. */
export function trueTypeFont(glyphs: readonly Glyph[], unitsPerEm: number): Uint8Array {
  const encoded = glyphs.map(encodeGlyph)
  let end = 0
  const offsets = [0, ...encoded.map((glyph) => (end += glyph.length))]
  const box = bounds(glyphs.flatMap(({ outline }) => outline.flat()))
  const most = (count: (glyph: Glyph) => number) => Math.max(...glyphs.map(count))
  const bearings = glyphs.map(({ outline }) => bounds(outline.flat())[0])
  const [ascent, descent] = [Math.round(ASCENT * unitsPerEm), -Math.round(DESCENT * unitsPerEm)]
  const tables: Record<string, Uint8Array> = {
    glyf: Buffer.concat(encoded),
    head: bytesOf(
      [32, [0x10000, 0x10000, 0, 0x5f0f3cf5]],
      [16, [0, unitsPerEm]],
      [32, [0, 0, 0, 0]],
      // The smallest legible size, then offsets of four bytes.
      [16, [...box, 0, 8, 2, 1, 0]],
    ),
    hhea: bytesOf(
      [32, [0x10000]],
      [16, [ascent, descent, 0, most(({ width }) => width), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length]],
    ),
    hmtx: bytesOf([16, glyphs.flatMap(({ width }, index) => [width, bearings[index] ?? 0])]),
    loca: bytesOf([32, offsets]),
    maxp: bytesOf(
      [32, [0x10000]],
      [16, [glyphs.length, most(({ outline }) => outline.flat().length), most(({ outline }) => outline.length)]],
      [16, [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]],
    ),
  }
  return packed(tables)
}

function packed(tables: Record<string, Uint8Array>): Uint8Array {
  const entries = Object.entries(tables)
  const power = Math.floor(Math.log2(entries.length))
  const searched = 16 * 2 ** power
  const header = bytesOf([32, [0x10000]], [16, [entries.length, searched, power, 16 * entries.length - searched]])
  const contents = entries.map(([, table]) => padded(table))
  let at = header.length + 16 * entries.length
  const directory = entries.map(([tag, table], index) => {
    const content = contents[index] ?? table
    const entry = Buffer.concat([Buffer.from(tag, 'latin1'), bytesOf([32, [checksum(content), at, table.length]])])
    at += content.length
    return entry
  })
  return Buffer.concat([header, ...directory, ...contents])
}
