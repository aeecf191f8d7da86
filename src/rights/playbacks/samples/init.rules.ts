import type { PackedTrack } from '#rights/packing/state.ts'
import { type Box, box, boxesIn, findBox, fullBox, numbers } from './boxes.rules.ts'

/** How the samples of a track are encrypted: pictures within their units, and sound as a whole. */
export type Layout = { kind: 'units'; codec: 'avc' | 'hevc'; lengthBytes: number } | { kind: 'whole' }
export type UnitLayout = Extract<Layout, { kind: 'units' }>

/** Tracks whose samples can be encrypted one by one. Others are encrypted segment by segment. */
const CODECS = /^(avc[13]|hvc1|hev1|mp4a)\.|^(opus|flac)$/i

export function hasSamples({ codecs, format }: Pick<PackedTrack, 'codecs' | 'format'>): boolean {
  return format === 'mp4' && CODECS.test(codecs)
}

const STSD = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']
/** An entry comes after the version and the count of the list. */
const ENTRY_AT = 8
/** What an entry has before its own boxes. */
const PICTURE_BYTES = 86

type Kind = { codec: 'avc' | 'hevc' | null; protectedAs: 'encv' | 'enca' }

const KINDS: Record<string, Kind> = {
  avc1: { codec: 'avc', protectedAs: 'encv' },
  avc3: { codec: 'avc', protectedAs: 'encv' },
  hvc1: { codec: 'hevc', protectedAs: 'encv' },
  hev1: { codec: 'hevc', protectedAs: 'encv' },
  mp4a: { codec: null, protectedAs: 'enca' },
  Opus: { codec: null, protectedAs: 'enca' },
  fLaC: { codec: null, protectedAs: 'enca' },
}

function entryOf(init: Buffer): Kind & { list: Box; entry: Box } {
  const list = findBox(init, STSD)
  const [entry] = boxesIn(init, list.content + ENTRY_AT, list.end)
  const kind = entry === undefined ? undefined : KINDS[entry.type]
  if (entry === undefined || kind === undefined) throw new Error(`samples of ${entry?.type} are not encrypted`)
  return { list, entry, ...kind }
}

/** Where the configuration of a codec says in how many bytes the length of a unit is written, less one. */
const LENGTH_AT = { avc: 4, hevc: 21 } as const
const CONFIGURATIONS = { avc: 'avcC', hevc: 'hvcC' } as const

export function layoutOf(init: Buffer): Layout {
  const { entry, codec } = entryOf(init)
  if (codec === null) return { kind: 'whole' }
  const type = CONFIGURATIONS[codec]
  const configuration = boxesIn(init, entry.at + PICTURE_BYTES, entry.end).find((each) => each.type === type)
  if (configuration === undefined) throw new Error(`there is no box ${type}`)
  return { kind: 'units', codec, lengthBytes: (init.readUInt8(configuration.content + LENGTH_AT[codec]) & 3) + 1 }
}

/** Of ten blocks of a picture one is encrypted, and of sound all are. */
const PATTERNS = { encv: 0x19, enca: 0 } as const
const VERSION_1_0 = 0x10000

/** The beginning of a track that says how its samples are encrypted, and with which key (ISO/IEC 23001-7, `cbcs`). */
export function protectInit(init: Buffer, keyId: Buffer, iv: Buffer): Buffer {
  const { list, entry, protectedAs } = entryOf(init)
  const blocks = Buffer.from([0, PATTERNS[protectedAs], 1, 0])
  const encryption = fullBox('tenc', 1, 0, blocks, keyId, Buffer.from([iv.length]), iv)
  const scheme = fullBox('schm', 0, 0, Buffer.from('cbcs'), numbers([VERSION_1_0]))
  const sinf = box('sinf', box('frma', Buffer.from(entry.type, 'latin1')), scheme, box('schi', encryption))
  const changed = box(protectedAs, init.subarray(entry.content, entry.end), sinf)
  return replace(init, list, box('stsd', init.subarray(list.content, list.content + ENTRY_AT), changed))
}

/** Puts another list of entries in the place of the old one, and corrects the sizes of what is around it. */
function replace(init: Buffer, { at, end }: Box, list: Buffer): Buffer {
  const changed = Buffer.concat([init.subarray(0, at), list, init.subarray(end)])
  for (let depth = 1; depth < STSD.length; depth += 1) {
    const around = findBox(init, STSD.slice(0, depth))
    changed.writeUInt32BE(around.end - around.at + list.length - (end - at), around.at)
  }
  return changed
}
