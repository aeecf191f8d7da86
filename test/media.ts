import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MkvOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'

/** Films for tests, made from the film of the demo shop: 28 seconds in HD with a key frame every two seconds. */
const DEMO = join(import.meta.dirname, '../src/program/demo/media')

export const demoFilm = (version: 'hd' | 'sd' = 'hd') => readFile(join(DEMO, `film-${version}.mp4`))
export const demoTrack = () => readFile(join(DEMO, 'track-1.mp3'))

export function openFilm(bytes: Buffer): Input {
  return new Input({ source: new BufferSource(bytes), formats: [MP4] })
}

export async function packetsOf(track: InputVideoTrack | InputAudioTrack): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet)
  return packets
}

export type FilmOptions = {
  /** How often the demo film is repeated. */
  times?: number
  /** Languages of the sound; without any the film is silent. */
  languages?: readonly string[]
  version?: 'hd' | 'sd'
  /** Leaves out all key frames but the first. */
  withoutKeys?: boolean
  container?: 'mp4' | 'mkv'
}

/** A film of any length, whose pictures and sound are those of the demo film. */
export async function aFilm({
  times = 1,
  languages = ['eng'],
  version = 'hd',
  withoutKeys = false,
  container = 'mp4',
}: FilmOptions = {}): Promise<Buffer> {
  const input = openFilm(await demoFilm(version))
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (video === null || audio === null) throw new Error('the demo film has no pictures or no sound')
  const target = new BufferTarget()
  const format = container === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new MkvOutputFormat()
  const output = new Output({ format, target })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures)
  const sounds = languages.map((languageCode) => {
    const source = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(source, { languageCode, name: `Sound ${languageCode}` })
    return source
  })
  await output.start()
  const length = await video.computeDuration()
  const [frames, samples] = [await packetsOf(video), (await packetsOf(audio)).filter(({ timestamp }) => timestamp >= 0)]
  const config = { decoderConfig: (await video.getDecoderConfig()) ?? undefined }
  const soundConfig = { decoderConfig: (await audio.getDecoderConfig()) ?? undefined }
  for (let time = 0; time < times; time += 1) {
    const later = (packet: EncodedPacket) => packet.clone({ timestamp: packet.timestamp + time * length })
    for (const [index, packet] of frames.entries()) {
      const isKey = packet.type === 'key' && (!withoutKeys || (time === 0 && index === 0))
      await pictures.add(later(packet).clone({ type: isKey ? 'key' : 'delta' }), config)
    }
    for (const packet of samples) for (const sound of sounds) await sound.add(later(packet), soundConfig)
  }
  await output.finalize()
  if (target.buffer === null) throw new Error('the film was not written')
  return Buffer.from(target.buffer)
}

/** A recording in PCM, which browsers do not play from segments. */
export function aWave(seconds = 1): Buffer {
  const [rate, bytes] = [8000, 2]
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + seconds * rate * bytes, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * bytes, 28)
  head.writeUInt16LE(bytes, 32)
  head.writeUInt16LE(8 * bytes, 34)
  head.write('data', 36)
  head.writeUInt32LE(seconds * rate * bytes, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * rate * bytes)])
}
