import { type Box, box, boxesIn, findBox, fullBox, numbers } from './boxes.rules.ts'

/** `later` is how much later than its turn it is shown. */
export type Sample = { bytes: number; duration: number; flags: number; later: number }

/** A fragment of one track: its samples from a time on. */
export type Fragment = { track: number; time: bigint; samples: readonly Sample[] }

/** The parts of a sample in turns: so many clear bytes, then so many of which blocks are encrypted. */
export type Parts = readonly (readonly [clear: number, encrypted: number])[]

const has = (flags: number, bit: number) => (flags & bit) !== 0

/** Reads the head of a fragment (`moof`), as the packer has written it. */
export function readFragment(moof: Buffer): Fragment {
  const traf = findBox(moof, ['moof', 'traf'])
  const boxes = boxesIn(moof, traf.content, traf.end)
  const contentOf = ({ content, end }: Box) => moof.subarray(content, end)
  const one = (type: string) => {
    const found = boxes.find((each) => each.type === type)
    if (found === undefined) throw new Error(`there is no box ${type}`)
    return contentOf(found)
  }
  const { track, ...defaults } = readDefaults(one('tfhd'))
  const runs = boxes.filter(({ type }) => type === 'trun').map(contentOf)
  return { track, time: readTime(one('tfdt')), samples: runs.flatMap((run) => readRun(run, defaults)) }
}

function readTime(tfdt: Buffer): bigint {
  return tfdt.readUInt8(0) === 1 ? tfdt.readBigUInt64BE(4) : BigInt(tfdt.readUInt32BE(4))
}

type Defaults = Omit<Sample, 'later'>

/** Reads what a box has in this order, each only if its flag is set. */
function createReader(bytes: Buffer, start: number) {
  const flags = bytes.readUIntBE(1, 3)
  let at = start
  return (flag: number, otherwise: number) => {
    if (!has(flags, flag)) return otherwise
    at += 4
    return bytes.readInt32BE(at - 4)
  }
}

function readDefaults(tfhd: Buffer): Defaults & { track: number } {
  const read = createReader(tfhd, has(tfhd.readUIntBE(1, 3), 0x1) ? 16 : 8)
  read(0x2, 0)
  return { track: tfhd.readUInt32BE(4), duration: read(0x8, 0), bytes: read(0x10, 0), flags: read(0x20, 0) }
}

function readRun(trun: Buffer, defaults: Defaults): Sample[] {
  const read = createReader(trun, 8)
  read(0x1, 0)
  const first = read(0x4, defaults.flags)
  return Array.from({ length: trun.readUInt32BE(4) }, (_, index) => {
    const duration = read(0x100, defaults.duration) >>> 0
    const bytes = read(0x200, defaults.bytes) >>> 0
    const flags = read(0x400, index === 0 ? first : defaults.flags) >>> 0
    return { duration, bytes, flags, later: read(0x800, 0) }
  })
}

/** Places are counted from the head of the fragment. */
const FROM_HEAD = 0x20000
/** A run says where its samples begin, and of each how long it is, its size, its flags and how much later it is shown. */
const SAYS_ALL = 0xf01
const WITH_PARTS = 2

/** Writes the head of a fragment, up to its samples. Without `parts` each of them is encrypted as a whole. */
export function writeHead({ track, time, samples }: Fragment, parts: readonly Parts[] | undefined): Buffer {
  const from = Buffer.alloc(8)
  from.writeBigUInt64BE(time)
  const listed = samples.flatMap(({ duration, bytes, flags, later }) => [duration, bytes, flags, later])
  const lists = parts === undefined ? [] : listParts(parts)
  const moof = (toSamples: number, toParts: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, numbers([1])),
      box(
        'traf',
        fullBox('tfhd', 0, FROM_HEAD, numbers([track])),
        fullBox('tfdt', 1, 0, from),
        fullBox('trun', 1, SAYS_ALL, numbers([samples.length, toSamples].concat(listed))),
        ...(lists.length === 0 ? [] : [fullBox('saio', 0, 0, numbers([1, toParts]))]),
        ...lists,
      ),
    )
  const { length } = moof(0, 0)
  const data = samples.reduce((sum, { bytes }) => sum + bytes, 0)
  const listBytes = lists.reduce((sum, each) => sum + each.length, 0)
  // The parts of the first sample come after the head and the count of the first list.
  return Buffer.concat([moof(length + 8, length - listBytes + 16), numbers([data + 8]), Buffer.from('mdat')])
}

/** The parts of each sample, and the size of each such entry. */
function listParts(parts: readonly Parts[]): Buffer[] {
  const sizes = parts.map(({ length }) => 2 + 6 * length)
  const list = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  for (const each of parts) {
    at = list.writeUInt16BE(each.length, at)
    for (const [clear, encrypted] of each) at = list.writeUInt32BE(encrypted, list.writeUInt16BE(clear, at))
  }
  const count = numbers([parts.length])
  const table = Buffer.allocUnsafe(sizes.length)
  for (const [index, size] of sizes.entries()) table.writeUInt8(size, index)
  return [fullBox('senc', 0, WITH_PARTS, count, list), fullBox('saiz', 0, 0, Buffer.alloc(1), count, table)]
}
