import { readFileSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packLocally } from '#rights/packing/pack.files.ts'
import { childrenOf, cpuMs, rssMb } from '../machine.ts'
import { writeFilm } from './film.ts'

/** As the worker packs. */
const PART_BYTES = 256 * 1_048_576
const MEGABITS = 8
const TICK_MS = 50

export type Packing = { bytes: number; ms: number; cpuMs: number; peakMb: number; parts: number; segments: number }

/** The process that packs for this one. */
function packerPid(): number | undefined {
  return childrenOf(process.pid).find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('packer.process')
    } catch {
      return false
    }
  })
}

/** Packs a film part by part, as the worker does, and deletes each part. */
export async function measurePacking(folder: string, bytes: number): Promise<Packing> {
  const path = join(folder, 'film.mp4')
  await writeFilm(path, { seconds: bytes / (MEGABITS * 125_000), megabits: MEGABITS, isForWeb: false })
  const { size } = await stat(path)
  let peakMb = 0
  const timer = setInterval(() => {
    const pid = packerPid()
    if (pid !== undefined) peakMb = Math.max(peakMb, rssMb(pid))
  }, TICK_MS)
  const started = performance.now()
  let [parts, segments] = [0, 0]
  try {
    for (let from: number | null = 0; from !== null; parts += 1) {
      const place = join(folder, `part-${parts}`)
      await mkdir(place)
      const packed = await packLocally({ path, folder: place, number: parts, from, bytesMax: PART_BYTES })
      if (packed.kind !== 'packed') throw new Error(`the film was not packed: ${JSON.stringify(packed)}`)
      segments += packed.tracks.reduce((sum, track) => sum + track.segments.length, 0)
      from = packed.next
      await rm(place, { recursive: true })
    }
  } finally {
    clearInterval(timer)
  }
  const ms = performance.now() - started
  const pid = packerPid()
  await rm(path)
  return { bytes: size, ms, cpuMs: pid === undefined ? Number.NaN : cpuMs(pid), peakMb, parts, segments }
}
