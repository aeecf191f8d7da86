import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import type { PackedTrack, Segment } from './state.ts'
import {
  type AudioChoice,
  type Choice,
  openSource,
  type Source,
  Unpackable,
  type VideoChoice,
} from './tracks.process.ts'

/** The next part of a local file to pack, into files of a folder. */
export type PartRequest = {
  path: string
  folder: string
  number: number
  from: number
  /** When a part is full: what is done is safe, and somebody else may have a turn. */
  bytesMax: number
}

/** A part that was packed: for each track a file of the folder with its segments. */
export type PackedAnswer = {
  kind: 'packed'
  duration: number
  next: number | null
  described: PackedTrack[]
  tracks: { track: string; file: string; segments: Segment[] }[]
}

/** A segment ends at the first key frame after this. */
const SEGMENT_SECONDS = 4
const PART_SECONDS_MAX = 1800
const KEY_SECONDS_MAX = 20
const SEGMENT_BYTES_MAX = 64 * 1_048_576
const WRITE_BYTES = 2 * 1_048_576

/** Packs one part: the pictures until the part is full at a key frame, and all sound of the same time. */
export async function packPart(request: PartRequest): Promise<PackedAnswer> {
  const source = await openSource(request.path)
  try {
    const [first, ...others] = source.chosen
    const lead = await packTrack(request, source, first, undefined)
    const rest: Made[] = []
    for (const choice of others)
      rest.push(await packTrack(request, source, choice, lead.next ?? Number.POSITIVE_INFINITY))
    const made = [lead, ...rest]
    return {
      kind: 'packed',
      duration: source.duration,
      next: lead.next,
      described: made.map(({ described }) => described),
      tracks: made.map(({ described, file, segments }) => ({ track: described.id, file, segments })),
    }
  } finally {
    source.input.dispose()
  }
}

type Made = { described: PackedTrack; file: string; segments: Segment[]; next: number | null }

/** Packs a track from the beginning of the part to a time, or without one until the part is full. */
async function packTrack(
  request: PartRequest,
  source: Source,
  choice: Choice,
  until: number | undefined,
): Promise<Made> {
  const { number, folder, from } = request
  const file = `${choice.described.id}-${number}`
  const writer =
    choice.described.format === 'mp3' ? createFrames(join(folder, file)) : createFragments(join(folder, file), choice)
  const full = createLimit(request, until)
  let next: number | null = null
  let end = from
  for await (const packet of packetsFrom(source, choice, from)) {
    if (full.isReached(packet)) {
      next = packet.timestamp
      break
    }
    await writer.add(packet)
    end = Math.max(end, packet.timestamp + packet.duration)
  }
  const { init, starts, bytes } = await writer.close()
  const last = until === undefined ? (next ?? end) : Math.min(until, Math.max(end, starts.at(-1)?.timestamp ?? from))
  return { described: { ...choice.described, init }, file, segments: segmentsOf(starts, bytes, last), next }
}

/** The packets of a track from a time on. What comes before the film begins is there for decoders, and not packed. */
async function* packetsFrom({ shift }: Source, { kind, track }: Choice, from: number): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track)
  const at = from - shift
  const first =
    from === 0 ? await sink.getFirstPacket() : kind === 'video' ? await sink.getKeyPacket(at) : await sink.getPacket(at)
  for await (const packet of sink.packets(first ?? (await sink.getFirstPacket()) ?? undefined)) {
    const timestamp = packet.timestamp + shift
    if (kind === 'audio' ? timestamp >= from : true) yield shift === 0 ? packet : packet.clone({ timestamp })
  }
}

/** Says when the part ends. It also refuses films whose segments would be too long to be stopped, or too large to be kept in memory. */
function createLimit({ from, bytesMax }: PartRequest, until: number | undefined) {
  let bytes = 0
  let sinceKey = 0
  let key = from
  return {
    isReached({ type, timestamp, byteLength }: EncodedPacket): boolean {
      if (until !== undefined) return timestamp >= until
      if (type === 'key') {
        const isFull = bytes >= bytesMax || timestamp - from >= PART_SECONDS_MAX
        if (isFull && timestamp > from) return true
        key = timestamp
        sinceKey = 0
      }
      bytes += byteLength
      sinceKey += byteLength
      if (timestamp - key > KEY_SECONDS_MAX || sinceKey > SEGMENT_BYTES_MAX) throw new Unpackable('few_key_frames')
      return false
    },
  }
}

type Start = { at: number; timestamp: number }
type Closed = { init: string; starts: Start[]; bytes: number }
type Writer = { add(packet: EncodedPacket): Promise<void>; close(): Promise<Closed> }

function segmentsOf(starts: readonly Start[], bytes: number, end: number): Segment[] {
  return starts.map(({ at, timestamp }, index) => {
    const next = starts[index + 1] ?? { at: bytes, timestamp: end }
    return [at, next.at - at, Math.max(0.001, next.timestamp - timestamp)]
  })
}

/** Segments of CMAF: each is a fragment of an MP4 file, and the beginning of the file is what players read first. */
function createFragments(path: string, choice: VideoChoice | AudioChoice): Writer {
  const head: Uint8Array[] = []
  const starts: Start[] = []
  let lastMdat = 0
  const keep = (data: Uint8Array) => void head.push(data.slice())
  const format = new Mp4OutputFormat({
    fastStart: 'fragmented',
    minimumFragmentDuration: SEGMENT_SECONDS,
    onFtyp: keep,
    onMoov: keep,
    onMoof: (data, at, timestamp) => {
      starts.push({ at, timestamp })
      lastMdat = at + data.length
    },
  })
  const output = new Output({ format, target: new FilePathTarget(path, { chunkSize: WRITE_BYTES }) })
  const add = addTrack(output, choice)
  let isStarted = false
  return {
    async add(packet) {
      if (!isStarted) await output.start()
      isStarted = true
      await add(packet)
    },
    async close() {
      if (!isStarted) await output.start()
      await output.finalize()
      const bytes = starts.length === 0 ? 0 : lastMdat + (await boxSize(path, lastMdat))
      return { init: Buffer.concat(head).toString('base64'), starts, bytes }
    },
  }
}

/** The size of a box of an MP4 file, which may be written in 64 bits. */
async function boxSize(path: string, at: number): Promise<number> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, at)
    const size = buffer.readUInt32BE(0)
    return size === 1 ? Number(buffer.readBigUInt64BE(8)) : size
  } finally {
    await file.close()
  }
}

function addTrack(output: Output, choice: VideoChoice | AudioChoice): (packet: EncodedPacket) => Promise<void> {
  let isFirst = true
  if (choice.kind === 'video') {
    const { track } = choice
    if (track.codec === null) throw new Unpackable('video_codec')
    const source = new EncodedVideoPacketSource(track.codec)
    output.addVideoTrack(source)
    return async (packet) => {
      const decoderConfig = isFirst ? await track.getDecoderConfig() : null
      isFirst = false
      await source.add(packet, decoderConfig === null ? undefined : { decoderConfig })
    }
  }
  const { track } = choice
  if (track.codec === null) throw new Unpackable('audio_codec')
  const source = new EncodedAudioPacketSource(track.codec)
  output.addAudioTrack(source)
  return async (packet) => {
    const decoderConfig = isFirst ? await track.getDecoderConfig() : null
    isFirst = false
    await source.add(packet, decoderConfig === null ? undefined : { decoderConfig })
  }
}

/** Segments of MP3: its frames, one after another. */
function createFrames(path: string): Writer {
  const stream = createWriteStream(path)
  const starts: Start[] = []
  let bytes = 0
  return {
    async add({ data, timestamp }) {
      const last = starts.at(-1)
      if (last === undefined || timestamp - last.timestamp >= SEGMENT_SECONDS) starts.push({ at: bytes, timestamp })
      bytes += data.length
      if (!stream.write(data)) await once(stream, 'drain')
    },
    async close() {
      stream.end()
      await once(stream, 'finish')
      return { init: '', starts, bytes }
    },
  }
}
