import type { Figure, Measured } from '../figures.ts'
import type { Options } from '../options.ts'
import { aimLine, number, verdict } from '../report.ts'
import { startFilled } from '../services.ts'
import { type FirstFrame, measureFirstFrame } from './first-frame.ts'
import { measurePacking, type Packing } from './packing.ts'
import { MEGABITS, makeScene, type Playback } from './scene.ts'
import { type Cost, measureKeys, measureSegments, type Sent } from './segments.ts'
import { measureViewers, type Watched } from './viewers.ts'

const [PRODUCTS, ORDERS] = [500, 500]
const SEGMENT_RATIO_MIN = 0.6
const KEY_MS_MAX = 1
const FIRST_FRAME_TIMES_MAX = 1.5
const FIRST_FRAME_ROUNDS = 7
const PACKING_MB_MIN = 100
const PACKING_MEMORY_MB_MAX = 300
const PACKED_GIB = 4
const WATCHED_SECONDS = 40

/** What one run measures, and a smoke run in small. */
const FULL = {
  viewers: 500,
  filmSeconds: 120,
  packedBytes: PACKED_GIB * 1_073_741_824,
  watchedSeconds: WATCHED_SECONDS,
}
const SMOKE = { viewers: 3, filmSeconds: 28, packedBytes: 3_000_000, watchedSeconds: 1 }

type Results = { sent: Sent; keys: Cost; watched: Watched; frame: FirstFrame | undefined; packing: Packing }

/** Measures how protected films are packed and played. */
export async function measureProtected(options: Options): Promise<Measured> {
  const { seconds, rounds, smoke } = options
  const { viewers, filmSeconds, packedBytes, watchedSeconds } = smoke ? SMOKE : FULL
  const env = { LICET_CONNECTIONS_PER_ADDRESS: '10000' }
  const {
    folder,
    host,
    postmaster,
    service: started,
  } = await startFilled({ products: PRODUCTS, orders: ORDERS, env }, smoke)
  const service = { ...started, postmaster }
  console.log('Packing the film that is watched …')
  const scene = await makeScene(service, host, folder, { owned: viewers, seconds: filmSeconds })
  const playbacks: Playback[] = []
  for (const id of scene.owned) playbacks.push(await scene.play(id))
  const { cookie } = scene
  const [playback] = playbacks
  if (playback === undefined) throw new Error('nobody plays')
  console.log('Measuring segments and keys …')
  const sent = await measureSegments({ service, cookie, folder, playback }, { seconds, rounds, smoke })
  console.log(`${viewers} viewers of ${MEGABITS} Mbit/s …`)
  const watched = await measureViewers(service, cookie, playbacks, watchedSeconds)
  const keys = await measureKeys({ service, cookie }, playbacks)
  const frame = smoke ? undefined : await measureFirstFrame(service, scene, FIRST_FRAME_ROUNDS)
  await service.stop()
  console.log(`Packing a film of ${number(packedBytes / 1_000_000)} MB …`)
  const packing = await measurePacking(folder, packedBytes)
  const results = { sent, keys, watched, frame, packing }
  return { figures: figuresOf(results), lines: linesOf(results), details: results }
}

const perSecond = ({ bytes, ms }: Pick<Cost, 'bytes' | 'ms'>) => bytes / 1_000_000 / (ms / 1000)
const cpuPerMb = ({ cpuMs, bytes }: Cost) => cpuMs / (bytes / 1_000_000)

function figuresOf({ sent, keys, watched, frame, packing }: Results): Figure[] {
  const seconds = { wall: packing.ms / 1000, cpu: packing.cpuMs / 1000 }
  return [
    {
      name: 'segments',
      compared: sent.compared,
      ratio: perSecond(sent.service) / perSecond(sent.floor),
      cpuRatio: cpuPerMb(sent.floor) / cpuPerMb(sent.service),
      cpuMs: sent.service.cpuMs / sent.service.amount,
      databaseMs: sent.service.databaseMs / sent.service.amount,
    },
    {
      name: 'keys',
      compared: keys.amount,
      cpuMs: keys.cpuMs / keys.amount,
      databaseMs: keys.databaseMs / keys.amount,
    },
    { name: 'viewers', compared: watched.viewers, ratio: watched.stalls + watched.refused === 0 ? 1 : 0 },
    { name: 'first-frame', compared: 1, ...(frame && { ratio: frame.plainMs / frame.protectedMs }) },
    { name: 'first-frame-apart', compared: 1, ...(frame && { ratio: frame.plainMs / frame.apartMs }) },
    {
      name: 'packing',
      compared: packing.segments,
      ratio: packing.bytes / 1_000_000 / seconds.wall / PACKING_MB_MIN,
      cpuRatio: packing.bytes / 1_000_000 / seconds.cpu / PACKING_MB_MIN,
      cpuMs: packing.cpuMs,
      memoryMb: packing.peakMb,
    },
  ]
}

function frameLines(frame: FirstFrame | undefined): string[] {
  if (frame === undefined) return ['first frame: there is no Chromium on this machine']
  const { protectedMs, apartMs, plainMs } = frame
  const times = (what: string, ms: number) => aimLine(what, ms / plainMs, '', FIRST_FRAME_TIMES_MAX, 2)
  return [
    times('first frame, in those of the plain file', protectedMs),
    times('  decrypted apart from the page', apartMs),
    `  ${number(protectedMs)} and ${number(apartMs)} ms, plain file ${number(plainMs)} ms`,
  ]
}

function linesOf({ sent, keys, watched, frame, packing }: Results): string[] {
  const ratio = perSecond(sent.service) / perSecond(sent.floor)
  const speed = packing.bytes / 1_000_000 / (packing.ms / 1000)
  const { viewers, stalls, refused, cores, databaseCores } = watched
  const isSmooth = stalls + refused === 0
  return [
    `segments: ${number(perSecond(sent.service))} MB/s, ${number(ratio, 2)} of a static server (aim ≥${SEGMENT_RATIO_MIN}) ${verdict(ratio >= SEGMENT_RATIO_MIN)}`,
    `  CPU ${number(cpuPerMb(sent.service), 2)} ms for a MB, static server ${number(cpuPerMb(sent.floor), 2)} ms`,
    aimLine('a key, CPU of Node', keys.cpuMs / keys.amount, ' ms', KEY_MS_MAX, 2),
    `  of ${keys.amount}; PostgreSQL ${number(keys.databaseMs / keys.amount, 2)} ms`,
    `${viewers} viewers for ${number(watched.seconds)} s: ${stalls} stalls, ${refused} refused (aim 0) ${verdict(isSmooth)}`,
    `  ${number(perSecond({ bytes: watched.bytes, ms: watched.seconds * 1000 }))} MB/s, a segment in ${number(watched.p50)} ms, p99 ${number(watched.p99)} ms; Node ${number(cores, 2)} cores, PostgreSQL ${number(databaseCores, 2)}`,
    ...frameLines(frame),
    `packing: ${number(speed)} MB/s (aim ≥${PACKING_MB_MIN}) ${verdict(speed >= PACKING_MB_MIN)}`,
    `  ${number(packing.bytes / 1_000_000)} MB in ${packing.parts} parts, CPU ${number(packing.cpuMs / 1000, 1)} s`,
    aimLine('  its memory', packing.peakMb, ' MB', PACKING_MEMORY_MB_MAX),
  ]
}
