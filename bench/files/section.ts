import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, Measured } from '../figures.ts'
import { cpuMs } from '../machine.ts'
import { median } from '../measure.ts'
import type { Options } from '../options.ts'
import { startBareServer } from '../processes.ts'
import { number, verdict } from '../report.ts'
import { type Service, startFilled } from '../services.ts'
import { fetchBody } from '../verify.ts'
import { compareFiles, download, memoryWith, send, writeSample } from './transfer.ts'

const [PRODUCTS, ORDERS] = [500, 500]
const UPLOAD_MIN = 0.5
const DOWNLOAD_TIMES_MAX = 1.3
const MEMORY_MB_MAX = 50
const SLOW_SECONDS = 10
/** What the measurements before have left is collected in this time. */
const REST_MS = 3000

type Taken = { ms: number; cpuMs: number }

async function timed(pid: number, work: () => Promise<unknown>): Promise<Taken> {
  const cpuBefore = cpuMs(pid)
  const start = performance.now()
  await work()
  return { ms: performance.now() - start, cpuMs: cpuMs(pid) - cpuBefore }
}

const medianTaken = (taken: readonly Taken[]): Taken => ({
  ms: median(taken.map(({ ms }) => ms)),
  cpuMs: median(taken.map((each) => each.cpuMs)),
})

type Product = { product_id: string }
type File = { id: number; upload_url: string; public_url: string; status: string }

async function create(service: Service, bytes: number): Promise<File> {
  const list = await fetchBody(service, { method: 'GET', path: '/api/products.json?limit=1' })
  const [product]: Product[] = JSON.parse(list).products
  const file = { product_id: product?.product_id, name: 'sample.mp4', role: 'trailer', size: bytes }
  const body = JSON.stringify({ file })
  return JSON.parse(await fetchBody(service, { method: 'POST', path: '/api/files.json', body }, 201)).file
}

/** Uploads the sample in one request. */
async function upload(service: Service, sample: string, bytes: number): Promise<Taken & { url: string }> {
  const { id, upload_url } = await create(service, bytes)
  const headers = {
    authorization: `Bearer ${service.token}`,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': bytes,
  }
  const taken = await timed(service.pid, () => send(upload_url, 'PATCH', headers, sample))
  const read = await fetchBody(service, { method: 'GET', path: `/api/files/${id}.json` })
  const { public_url, status }: File = JSON.parse(read).file
  if (status !== 'ready') throw new Error(`the file is ${status}`)
  return { ...taken, url: public_url }
}

/** Measures how content files come in and go out. */
export async function measureFiles({ mib, downloads, rounds, smoke }: Options): Promise<Measured> {
  const bytes = mib * 1_048_576
  const { folder, service } = await startFilled({ products: PRODUCTS, orders: ORDERS }, smoke)
  const sample = join(folder, 'sample.mp4')
  console.log(`Measuring uploads and downloads of ${mib} MiB …`)
  const disk = medianTaken([
    await timed(process.pid, () => writeSample(sample, bytes)),
    await timed(process.pid, () => writeSample(sample, bytes)),
  ])
  const bare = await startBareServer('bench/files/static-server.ts', sample)
  const uploaded = await upload(service, sample, bytes)
  const received = await timed(bare.pid, () => send(bare.address, 'PUT', { 'content-length': bytes }, sample))
  const compared = await compareFiles(sample, [uploaded.url, bare.address])
  const [ours, theirs]: [Taken[], Taken[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await timed(bare.pid, () => download(bare.address, bytes)))
    ours.push(await timed(service.pid, () => download(uploaded.url, bytes)))
  }
  const [down, floorDown] = [medianTaken(ours), medianTaken(theirs)]
  await sleep(smoke ? 0 : REST_MS)
  const memory = await memoryWith(service.pid, uploaded.url, downloads, smoke ? 1 : SLOW_SECONDS)
  await rm(sample, { force: true })

  const figures: Figure[] = [
    {
      name: 'upload',
      compared,
      ratio: disk.ms / uploaded.ms,
      cpuRatio: received.cpuMs / uploaded.cpuMs,
      cpuMs: uploaded.cpuMs,
    },
    {
      name: 'download',
      compared,
      ratio: floorDown.ms / down.ms,
      cpuRatio: floorDown.cpuMs / down.cpuMs,
      cpuMs: down.cpuMs,
    },
    { name: 'many-downloads', compared: downloads, memoryMb: memory.peak },
  ]
  const speed = ({ ms }: Taken) => number(bytes / 1_000_000 / (ms / 1000))
  const cpu = (taken: Taken, floor: Taken) => `CPU ${number(taken.cpuMs)} ms, bare server ${number(floor.cpuMs)} ms`
  const line = (isMet: boolean, name: string, figure: string) => `${name}: ${figure} ${verdict(isMet)}`
  const ratio = disk.ms / uploaded.ms
  const times = down.ms / floorDown.ms
  const more = memory.peak - memory.before
  return {
    figures,
    lines: [
      line(
        ratio >= UPLOAD_MIN,
        `upload of ${mib} MiB`,
        `${speed(uploaded)} MB/s, ${number(ratio, 2)} of the disk (aim ≥${UPLOAD_MIN})`,
      ),
      `  ${cpu(uploaded, received)}, which takes ${number(received.ms)} ms for what takes the service ${number(uploaded.ms)} ms`,
      line(
        times <= DOWNLOAD_TIMES_MAX,
        'download',
        `${speed(down)} MB/s, ${number(times, 2)} times the bare server (aim ≤${DOWNLOAD_TIMES_MAX})`,
      ),
      `  ${cpu(down, floorDown)}`,
      line(
        more <= MEMORY_MB_MAX,
        `${downloads} slow downloads`,
        `${number(more)} MB more memory, ${number(memory.peak)} MB in all (aim <${MEMORY_MB_MAX} MB)`,
      ),
    ],
    details: { mib, disk, uploaded, received, down: ours, floorDown: theirs, memory },
  }
}
