import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, familyCpu, familyCpuMs } from '../machine.ts'
import { percentile } from '../measure.ts'
import type { Service } from '../services.ts'
import { receive } from './requests.ts'
import type { Playback, Segment } from './scene.ts'

/** As far ahead as the player of the shop loads. */
const AHEAD_SECONDS = 8

export type Watched = {
  viewers: number
  seconds: number
  stalls: number
  refused: number
  bytes: number
  /** Of a segment, from the request to its last byte. */
  p50: number
  p99: number
  /** Cores that were busy. */
  cores: number
  databaseCores: number
}

type Tally = { stalls: number; refused: number; bytes: number; times: number[] }

/** Plays as a browser does: a key when one is needed, and the next segment when few seconds are left. */
async function watch(address: string, cookie: string, { pictures, sound }: Playback, until: number, tally: Tally) {
  const take = async (path: string) => {
    const started = performance.now()
    const { status, bytes } = await receive(address + path, cookie)
    if (status !== 200) tally.refused += 1
    tally.bytes += bytes
    return performance.now() - started
  }
  let key = ''
  let loaded = 0
  let begun: number | undefined
  for (const [number, segment] of pictures.entries()) {
    if (performance.now() >= until) return
    const played = begun === undefined ? 0 : (performance.now() - begun) / 1000
    const wait = loaded - played - AHEAD_SECONDS
    if (wait > 0) await sleep(wait * 1000)
    if (segment.key !== key) await take(segment.key)
    key = segment.key
    const beside: Segment | undefined = sound[number]
    const [took] = await Promise.all([take(segment.path), beside === undefined ? 0 : take(beside.path)])
    tally.times.push(took)
    begun ??= performance.now()
    if ((performance.now() - begun) / 1000 > loaded && loaded > 0) {
      tally.stalls += 1
      // The picture stood still, and goes on from here.
      begun = performance.now() - loaded * 1000
    }
    loaded += segment.seconds
  }
}

/** Viewers who begin one after another, and watch side by side for some seconds. */
export async function measureViewers(
  service: Service & { postmaster: number },
  cookie: string,
  playbacks: readonly Playback[],
  seconds: number,
): Promise<Watched> {
  const tally: Tally = { stalls: 0, refused: 0, bytes: 0, times: [] }
  const beginMs = Math.min(AHEAD_SECONDS * 1000, (seconds * 1000) / 2)
  const started = performance.now()
  const [cpuBefore, databaseBefore] = [cpuMs(service.pid), familyCpu(service.postmaster)]
  await Promise.all(
    playbacks.map(async (playback, number) => {
      await sleep((beginMs * number) / playbacks.length)
      await watch(service.address, cookie, playback, started + beginMs + seconds * 1000, tally)
    }),
  )
  const ms = performance.now() - started
  return {
    viewers: playbacks.length,
    seconds: ms / 1000,
    stalls: tally.stalls,
    refused: tally.refused,
    bytes: tally.bytes,
    p50: percentile(tally.times, 0.5),
    p99: percentile(tally.times, 0.99),
    cores: (cpuMs(service.pid) - cpuBefore) / ms,
    databaseCores: familyCpuMs(databaseBefore, familyCpu(service.postmaster)) / ms,
  }
}
