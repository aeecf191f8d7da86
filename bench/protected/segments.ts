import { createDecipheriv } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cpuMs, familyCpu, familyCpuMs } from '../machine.ts'
import { median } from '../measure.ts'
import { type Floor, startBareServer } from '../processes.ts'
import type { Service } from '../services.ts'
import { receive, receiveAll } from './requests.ts'
import type { Playback, Scene } from './scene.ts'

/** What it takes to send one thing: by the clock with several connections, and of the CPU of Node and PostgreSQL. */
export type Cost = { amount: number; bytes: number; ms: number; cpuMs: number; databaseMs: number }
export type Sent = { service: Cost; floor: Cost; compared: number }

const CONNECTIONS = 4

type Target = { pid: number; postmaster: number }

/** Does something again and again for some time, a few at a time. */
async function repeat(
  { pid, postmaster }: Target,
  { seconds, amountMax }: { seconds: number; amountMax: number },
  work: (number: number) => Promise<number>,
): Promise<Cost> {
  const [cpuBefore, databaseBefore] = [cpuMs(pid), familyCpu(postmaster)]
  const started = performance.now()
  let [amount, bytes, next] = [0, 0, 0]
  const isOver = () => next >= amountMax || performance.now() - started > seconds * 1000
  const one = async () => {
    while (!isOver()) {
      // Not in one step, which would add to what the sum was before the wait.
      const received = await work(next++)
      bytes += received
      amount += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  return {
    amount,
    bytes,
    ms: performance.now() - started,
    cpuMs: cpuMs(pid) - cpuBefore,
    databaseMs: familyCpuMs(databaseBefore, familyCpu(postmaster)),
  }
}

function middle(costs: readonly Cost[]): Cost {
  const of = (name: keyof Cost) => median(costs.map((cost) => cost[name]))
  return { amount: of('amount'), bytes: of('bytes'), ms: of('ms'), cpuMs: of('cpuMs'), databaseMs: of('databaseMs') }
}

type Stage = Pick<Scene, 'cookie'> & { service: Service & { postmaster: number }; folder: string; playback: Playback }
type Pace = { seconds: number; rounds: number; smoke: boolean }

/** The bytes of a segment after the key that came for it was used. They are what a static server would send. */
async function openSegment({ service, cookie, playback }: Stage): Promise<Buffer> {
  const [first] = playback.pictures
  if (first === undefined) throw new Error('the film has no segments')
  const [sent, key] = await Promise.all(
    [first.path, first.key].map((path) => receive(service.address + path, cookie, true)),
  )
  const decipher = createDecipheriv('aes-256-ctr', key?.body ?? '', first.iv)
  const clear = Buffer.concat([decipher.update(sent?.body ?? Buffer.alloc(0)), decipher.final()])
  if (clear.toString('latin1', 4, 8) !== 'moof') throw new Error('the key does not open the segment')
  return clear
}

/** Segments that are encrypted on their way out, against a bare server that sends a file of their size. */
export async function measureSegments(stage: Stage, { seconds, rounds, smoke }: Pace): Promise<Sent> {
  const { service, cookie, folder, playback } = stage
  const clear = await openSegment(stage)
  const path = join(folder, 'segment')
  await writeFile(path, clear)
  const bare: Floor = await startBareServer('bench/files/static-server.ts', path)
  const segments = playback.pictures.slice(0, -1)
  const pace = { seconds, amountMax: smoke ? 4 : Number.POSITIVE_INFINITY }
  const ours = () =>
    repeat(service, pace, (number) =>
      receiveAll(service.address + (segments[number % segments.length]?.path ?? ''), cookie),
    )
  const theirs = () =>
    repeat({ pid: bare.pid, postmaster: service.postmaster }, pace, () => receiveAll(bare.address, cookie))
  if (!smoke) await Promise.all([ours(), theirs()])
  const [costs, floors]: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await theirs())
    costs.push(await ours())
  }
  await bare.stop()
  return { service: middle(costs), floor: middle(floors), compared: 1 }
}

/** Keys at the pace of the rights engine: as many as a browser gets at once, of many browsers. */
export async function measureKeys(
  { service, cookie }: Pick<Stage, 'service' | 'cookie'>,
  playbacks: readonly Playback[],
): Promise<Cost> {
  const PERIODS = 6
  const keys = playbacks.flatMap(({ pictures }) => [...new Set(pictures.map(({ key }) => key))].slice(1, PERIODS))
  const warmUp = keys.splice(0, Math.floor(keys.length / 5))
  const ask = (paths: readonly string[]) =>
    repeat(service, { seconds: 600, amountMax: paths.length }, (number) =>
      receiveAll(service.address + paths[number], cookie),
    )
  await ask(warmUp)
  return ask(keys)
}
