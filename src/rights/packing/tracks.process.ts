import {
  ADTS,
  FilePathSource,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { PackingFault } from './faults.facts.ts'
import type { PackedTrack } from './state.ts'

/** HLS is left out: a playlist names other files, which this process could open. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MP3, FLAC, OGG, WAVE, ADTS, MPEG_TS]

/** What browsers play from segments. */
const VIDEO_CODECS: ReadonlySet<string> = new Set(['avc', 'hevc', 'vp9', 'av1'])
const AUDIO_CODECS: ReadonlySet<string> = new Set(['aac', 'opus', 'flac'])
const AUDIO_TRACKS_MAX = 16

/** A file cannot be packed, and another try would find the same. */
export class Unpackable extends Error {
  readonly fault: PackingFault
  readonly codec: string | null

  constructor(fault: PackingFault, codec: string | null = null) {
    super(fault)
    this.fault = fault
    this.codec = codec
  }
}

export type VideoChoice = { kind: 'video'; track: InputVideoTrack; described: PackedTrack }
export type AudioChoice = { kind: 'audio'; track: InputAudioTrack; described: PackedTrack }
export type Choice = VideoChoice | AudioChoice

export type Source = { input: Input; chosen: [Choice, ...Choice[]]; duration: number; shift: number }

/** Opens a film or a recording, and chooses the tracks that are packed: the pictures, and all sound that browsers play. */
export async function openSource(path: string): Promise<Source> {
  const input = new Input({ source: new FilePathSource(path, { handleUnhandledError: () => {} }), formats: FORMATS })
  if (!(await input.canRead())) throw new Unpackable('no_media')
  const video = await input.getPrimaryVideoTrack()
  const sounds = (await input.getAudioTracks()).slice(0, AUDIO_TRACKS_MAX)
  const pictures = video === null ? [] : [await describeVideo(video)]
  const described = await Promise.all(sounds.map(describeAudio))
  const playable = described.filter((choice) => choice !== undefined)
  const isRecording = pictures.length === 0
  // MP3 is sent as it is, which works beside no pictures only.
  const kept = playable.filter(
    ({ described: { format } }) => format === 'mp4' || (isRecording && playable.length === 1),
  )
  if (sounds.length > 0 && kept.length === 0) throw new Unpackable('audio_codec', sounds[0]?.codec ?? null)
  const [first, ...rest] = [...pictures, ...kept.map(named)]
  if (first === undefined) throw new Unpackable('no_media')
  const start = await first.track.getFirstTimestamp()
  const duration = (await first.track.computeDuration()) + Math.max(0, -start)
  if (!(duration > 0 && Number.isFinite(duration))) throw new Unpackable('damaged')
  return { input, chosen: [first, ...rest], duration, shift: Math.max(0, -start) }
}

const named = (choice: AudioChoice, index: number): AudioChoice => ({
  ...choice,
  described: { ...choice.described, id: `a${index}` },
})

async function describeVideo(track: InputVideoTrack): Promise<VideoChoice> {
  const codecs = await track.getCodecParameterString()
  if (track.codec === null || codecs === null || !VIDEO_CODECS.has(track.codec))
    throw new Unpackable('video_codec', codecName(track))
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  return {
    kind: 'video',
    track,
    described: { id: 'v', kind: 'video', codecs, format: 'mp4', ...textsOf(track), width, height, init: '' },
  }
}

async function describeAudio(track: InputAudioTrack): Promise<AudioChoice | undefined> {
  const base = { id: 'a0', kind: 'audio', ...textsOf(track), width: null, height: null, init: '' } as const
  if (track.codec === 'mp3')
    return { kind: 'audio', track, described: { ...base, codecs: 'mp4a.40.34', format: 'mp3' } }
  const codecs = await track.getCodecParameterString()
  if (track.codec === null || codecs === null || !AUDIO_CODECS.has(track.codec)) return undefined
  return { kind: 'audio', track, described: { ...base, codecs, format: 'mp4' } }
}

function codecName({ codec, internalCodecId }: InputVideoTrack): string | null {
  if (codec !== null) return codec
  return typeof internalCodecId === 'string' ? internalCodecId.slice(0, 40) : null
}

const NAME_MAX = 100

/** The language and the name, from a file that may say anything. */
function textsOf({ languageCode, name }: InputVideoTrack | InputAudioTrack): Pick<PackedTrack, 'language' | 'name'> {
  return {
    language: languageTag(languageCode),
    name: (name ?? '')
      .replace(/[\p{Cc}"]/gu, ' ')
      .trim()
      .slice(0, NAME_MAX),
  }
}

/** `deu` as pages write it: `de`. Empty if nothing is said. */
function languageTag(code: string): string {
  if (code === 'und' || !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(code)) return ''
  try {
    return Intl.getCanonicalLocales(code)[0] ?? ''
  } catch {
    return ''
  }
}
