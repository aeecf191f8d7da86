import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BufferSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'

const DEMO = join(import.meta.dirname, '../../src/program/demo/media/film-sd.mp4')
const [FILLER, END] = [0x0c, 0x80]
const LENGTH_BYTES = 4

/** Adds what decoders of H.264 skip, so that a film has the rate of one in HD. */
function filled(packet: EncodedPacket, bytes: number): EncodedPacket {
  const missing = Math.floor(bytes) - packet.data.length
  if (missing <= LENGTH_BYTES + 2) return packet
  const data = Buffer.alloc(packet.data.length + missing, 0xff)
  data.set(packet.data)
  data.writeUInt32BE(missing - LENGTH_BYTES, packet.data.length)
  data[packet.data.length + LENGTH_BYTES] = FILLER
  data[data.length - 1] = END
  return packet.clone({ data })
}

async function packetsOf(track: InputVideoTrack | InputAudioTrack): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet)
  return packets
}

/** Writes a film of a length and a rate: the pictures and the sound of the demo shop, again and again. */
export async function writeFilm(
  path: string,
  { seconds, megabits, isForWeb }: { seconds: number; megabits: number; isForWeb: boolean },
): Promise<void> {
  const input = new Input({ source: new BufferSource(await readFile(DEMO)), formats: [MP4] })
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (video === null || audio === null) throw new Error('the demo film has no pictures or no sound')
  const format = new Mp4OutputFormat({ fastStart: isForWeb ? 'in-memory' : false })
  const output = new Output({ format, target: new FilePathTarget(path) })
  const [pictures, sound] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(pictures)
  output.addAudioTrack(sound)
  await output.start()
  const length = await video.computeDuration()
  const frames = await packetsOf(video)
  const bytesPerFrame = (megabits * 125_000 * length) / frames.length
  const large = frames.map((frame) => filled(frame, bytesPerFrame))
  const samples = (await packetsOf(audio)).filter(({ timestamp }) => timestamp >= 0)
  const config = { decoderConfig: (await video.getDecoderConfig()) ?? undefined }
  const soundConfig = { decoderConfig: (await audio.getDecoderConfig()) ?? undefined }
  for (let start = 0; start < seconds; start += length) {
    const later = (packet: EncodedPacket) => packet.clone({ timestamp: packet.timestamp + start })
    // Sound and pictures lie beside each other, as in films that are made for playing.
    let next = 0
    for (const frame of large) {
      await pictures.add(later(frame), config)
      for (
        let sample = samples[next];
        sample !== undefined && sample.timestamp <= frame.timestamp;
        sample = samples[next]
      ) {
        await sound.add(later(sample), soundConfig)
        next += 1
      }
    }
    for (const sample of samples.slice(next)) await sound.add(later(sample), soundConfig)
  }
  await output.finalize()
  input.dispose()
}
