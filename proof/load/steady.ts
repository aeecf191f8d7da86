import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { rssMb, type Stage, stolenSeconds } from './run.ts'
import { type Answered, isServed, percentileOf, startTraffic } from './traffic.ts'

type Sample = { atMs: number; mb: number; stolen: number }

/** Answers of a while of steady load, and what the machine and the memory of the service did meanwhile. */
export type SteadyLoad = {
  answers: readonly Answered[]
  /** Those that came while the machine had its processors for itself. */
  undisturbed: readonly Answered[]
  /** How long processors worked for other machines, in seconds. */
  stolen: number
  /** Megabytes a minute by which what garbage collection leaves grew in the last two thirds. */
  slopeMb: number
  /** The most memory that the service had, in megabytes. */
  mostMb: number
  /** The 99th percentiles of the first and of the last third, both undisturbed. */
  early: number
  late: number
}

/** Above this share of its processors' time, what other machines take is seen in the answers, and for a while after. */
const STOLEN_SHARE = 0.05
const DISTURBED_MS = 30_000
/** Old garbage is collected at least once in so long at this load: the least memory in it is what is left then. */
const COLLECTED_MS = 240_000
/** Samples for each line of progress. */
const SAMPLES_TOLD = 12

export async function stayBusy(
  stage: Stage,
  { perSecond, seconds, sampleEvery }: { perSecond: number; seconds: number; sampleEvery: number },
  onProgress: (text: string) => void,
): Promise<SteadyLoad> {
  const traffic = startTraffic(stage.requests, perSecond)
  const [started, stolenBefore] = [performance.now(), await stolenSeconds()]
  const samples: Sample[] = []
  while (performance.now() - started < seconds * 1000) {
    await sleep(sampleEvery * 1000)
    const [mb, stolen] = [await rssMb(stage.serve.pid()), (await stolenSeconds()) - stolenBefore]
    const atMs = performance.now() - started
    samples.push({ atMs, mb, stolen })
    const unserved = traffic.answered.filter((each) => !isServed(each)).length
    if (samples.length % SAMPLES_TOLD === 0)
      onProgress(
        `${(atMs / 60_000).toFixed(0)} min at ${perSecond.toFixed(0)} a second: ${mb.toFixed(0)} MB, ${unserved} failed or refused, ${stolen.toFixed(0)} s stolen`,
      )
  }
  await traffic.stop()
  const disturbed = disturbances(samples)
  const undisturbed = traffic.answered.filter(
    ({ atMs, ms }) => !disturbed.some(({ from, until }) => atMs > from && atMs - ms < until),
  )
  const third = (seconds * 1000) / 3
  return {
    answers: traffic.answered,
    undisturbed,
    stolen: samples.at(-1)?.stolen ?? 0,
    // The first third fills caches and lets the space for new objects grow.
    slopeMb: slope(leastBefore(samples).slice(Math.floor(samples.length / 3))),
    mostMb: Math.max(...samples.map(({ mb }) => mb)),
    early: p99(undisturbed.filter(({ atMs }) => atMs < third)),
    late: p99(undisturbed.filter(({ atMs }) => atMs > 2 * third)),
  }
}

/** The 99th percentile of what was answered with success. */
export const p99 = (answers: readonly Answered[]) => percentileOf(answers.filter(isServed), 0.99)

/** When other machines had too much of the processors, each until what had to wait for it is done. */
export function disturbances(samples: readonly Sample[]): { from: number; until: number }[] {
  return samples.flatMap(({ atMs, stolen }, index) => {
    const before = samples[index - 1] ?? { atMs: 0, stolen: 0 }
    const seconds = ((atMs - before.atMs) / 1000) * availableParallelism()
    return stolen - before.stolen > STOLEN_SHARE * seconds ? [{ from: before.atMs, until: atMs + DISTURBED_MS }] : []
  })
}

/**
 * The least memory of the last minutes at each sample. Between two collections of old garbage memory rises by a hundred
 * megabytes, so that a line through all samples says where between them the first and the last sample fell.
 */
export function leastBefore<Each extends Pick<Sample, 'atMs' | 'mb'>>(samples: readonly Each[]): Each[] {
  return samples.map((sample) => {
    const recent = samples.filter(({ atMs }) => atMs <= sample.atMs && atMs > sample.atMs - COLLECTED_MS)
    return { ...sample, mb: Math.min(...recent.map(({ mb }) => mb)) }
  })
}

/** The slope of the line through the samples, in megabytes a minute. */
export function slope(samples: readonly Pick<Sample, 'atMs' | 'mb'>[]): number {
  type Each = (typeof samples)[number]
  const mean = (of: (sample: Each) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const minutes = ({ atMs }: Each) => atMs / 60_000
  const [x, y] = [mean(minutes), mean(({ mb }) => mb)]
  const above = samples.reduce((sum, sample) => sum + (minutes(sample) - x) * (sample.mb - y), 0)
  return above / samples.reduce((sum, sample) => sum + (minutes(sample) - x) ** 2, 0)
}
