type Craft = (film: Buffer) => Buffer

/** Where a box of this type begins, the nth of the film. */
function findBox(film: Buffer, type: string, nth = 0): number {
  let at = -1
  for (let found = 0; found <= nth; found += 1) at = film.indexOf(type, at + 1, 'latin1')
  if (at < 4) throw new Error(`the film has no box ${type}`)
  return at - 4
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Another value at a place of a box, counted from its size. */
const poke =
  (type: string, offset: number, value: number, nth = 0): Craft =>
  (film) => {
    const copy = Buffer.from(film)
    copy.writeUInt32BE(value >>> 0, findBox(film, type, nth) + offset)
    return copy
  }

/** The size of a box in 64 bits, in the place of its first content. */
const hugeSize =
  (type: string): Craft =>
  (film) => {
    const copy = Buffer.from(film)
    const at = findBox(film, type)
    copy.writeUInt32BE(1, at)
    copy.writeBigUInt64BE(0x7fff_ffff_ffff_ffffn, at + 8)
    return copy
  }

const nested =
  (depth: number, type: string): Craft =>
  (film) => {
    const sizes = Buffer.alloc(8 * depth)
    for (let level = 0; level < depth; level += 1) {
      sizes.writeUInt32BE(8 * (depth - level), 8 * level)
      sizes.write(type, 8 * level + 4, 'latin1')
    }
    return Buffer.concat([beforeMovie(film), sizes])
  }

const beforeMovie = (film: Buffer) => film.subarray(0, findBox(film, 'moov'))

/** The film with its tracks so many times. */
const manyTracks =
  (times: number): Craft =>
  (film) => {
    const [movie, header, track] = [findBox(film, 'moov'), findBox(film, 'mvhd'), findBox(film, 'trak')]
    const head = film.subarray(header, header + film.readUInt32BE(header))
    const one = film.subarray(track, track + film.readUInt32BE(track))
    const rest = film.subarray(movie + film.readUInt32BE(movie))
    const tracks = box('moov', head, ...Array.from({ length: times }, () => one))
    return Buffer.concat([film.subarray(0, movie), tracks, rest])
  }

const sampleCount: Craft = (film) => {
  // Samples of one size need no table, so a few bytes say that there are four thousand million of them.
  const all = poke('stsz', 16, 0xffff_ffff)(poke('stsz', 12, 1)(film))
  return poke('stts', 16, 0xffff_ffff)(all)
}

const CRAFTS: Record<string, Craft> = {
  'a movie that is larger than the file': poke('moov', 0, 0x7fff_ffff),
  'a movie that is smaller than its head': poke('moov', 0, 4),
  'a movie without an end': poke('moov', 0, 0),
  'a movie of 64 bits': hugeSize('moov'),
  'a track that leads out of the movie': poke('trak', 0, 0x0fff_ffff),
  'a track without a size': poke('trak', 0, 0),
  'a track that begins with itself': poke('mdia', 0, 1),
  'a table that is larger than its track': poke('stbl', 0, 0x7fff_ffff),
  'tables of sizes with a huge count': poke('stsz', 16, 0xffff_ffff),
  'tables of times with a huge count': poke('stts', 12, 0xffff_ffff),
  'tables of chunks with a huge count': poke('stco', 12, 0xffff_ffff),
  'tables of places with a huge count': poke('stsc', 12, 0xffff_ffff),
  'tables of key frames with a huge count': poke('stss', 12, 0xffff_ffff),
  'samples that take years': poke('stts', 20, 0xffff_ffff),
  'a second that has no parts': poke('mdhd', 20, 0),
  'chunks outside of the file': poke('stco', 16, 0xffff_fff0),
  'samples that are larger than the file': poke('stsz', 20, 0x7fff_ffff),
  'a configuration that ends within': poke('avcC', 0, 9),
  '10,000 nested boxes': nested(10_000, 'moov'),
  '10,000 nested boxes of a track': nested(10_000, 'trak'),
  'nothing but its head': beforeMovie,
  'a quarter of it': (film) => film.subarray(0, film.length >> 2),
  'all but its last byte': (film) => film.subarray(0, -1),
  'an end in the middle of the movie': (film) => film.subarray(0, findBox(film, 'moov') + 700),
  'zeros after the movie': (film) => Buffer.concat([film.subarray(0, findBox(film, 'mdat')), Buffer.alloc(1_048_576)]),
}

/** Few bytes that would keep whoever reads them busy for hours, and many tracks. */
const ENDLESS: Record<string, Craft> = {
  'four thousand million samples': sampleCount,
  '10,000 tracks': manyTracks(10_000),
}

/** Films that somebody has made to harm who reads them, with what is wrong with each. */
export function craftedFilms(film: Buffer): [string, Buffer][] {
  return Object.entries(CRAFTS).map(([name, craft]) => [name, craft(film)])
}

export function endlessFilms(film: Buffer): [string, Buffer][] {
  return Object.entries(ENDLESS).map(([name, craft]) => [name, craft(film)])
}
