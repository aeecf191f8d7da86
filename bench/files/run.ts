import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { get, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { rssMb } from '../machine.ts'
import { cleanUp, makeDataFolder, type Service, startService, startStatic } from '../processes.ts'

/**
 * Measures how content files come in and go out: `node bench/files/run.ts [--mib 2048] [--downloads 200] [--rounds 3]`,
 * with the Node in node_modules/.bin.
 */

const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '2048' },
    downloads: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
  },
})
const bytes = Number(values.mib) * 1_048_576
const MP4_HEAD = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex')
const mbPerSecond = (ms: number) => Math.round(bytes / 1_000_000 / (ms / 1000))
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Writes a file as fast as the disk takes it, and waits until it is there: the floor of an upload. */
async function writeSample(path: string): Promise<void> {
  const file = await open(path, 'w')
  const chunk = randomBytes(4 * 1_048_576)
  await file.write(MP4_HEAD)
  for (let left = bytes - MP4_HEAD.length; left > 0; left -= chunk.length)
    await file.write(chunk, 0, Math.min(chunk.length, left))
  await file.sync()
  await file.close()
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads whatever the wire carries.
async function call(service: Service, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${service.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

function send(service: Service, url: string, path: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${service.token}`,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': bytes,
  }
  return new Promise((resolve, reject) => {
    const upload = request(url, { method: 'PATCH', headers }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 204 ? resolve() : reject(new Error(String(response.statusCode))),
      )
    })
    upload.once('error', reject)
    createReadStream(path, { highWaterMark: 1_048_576 }).pipe(upload)
  })
}

function download(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      response.once('end', () => (received === bytes ? resolve() : reject(new Error(`${received} bytes`))))
      response.once('error', reject)
    }).once('error', reject)
  })
}

/** The highest memory of a process while many readers take a file slowly. */
async function memoryWith(service: Service, url: string, downloads: number): Promise<{ before: number; peak: number }> {
  // What the measurements before have left is collected first.
  await sleep(3000)
  const before = rssMb(service.pid)
  const requests = await Promise.all(
    Array.from(
      { length: downloads },
      () =>
        new Promise<() => void>((resolve, reject) => {
          const asked = get(url, { agent: false }, (response) => {
            response.on('data', () => {
              response.pause()
              setTimeout(() => response.resume(), 50)
            })
            response.on('error', () => {})
            resolve(() => asked.destroy())
          })
          asked.once('error', reject)
        }),
    ),
  )
  let peak = before
  for (let tick = 0; tick < 50; tick += 1) {
    await sleep(200)
    peak = Math.max(peak, rssMb(service.pid))
  }
  for (const end of requests) end()
  return { before, peak }
}

async function bench(): Promise<void> {
  const folder = await makeDataFolder()
  const sample = join(folder, 'sample.mp4')
  const diskMs = median([await timed(() => writeSample(sample)), await timed(() => writeSample(sample))])
  const service = await startService(folder)
  const { products } = await call(service, 'GET', '/api/products.json?limit=1')
  const file = { product_id: products[0].product_id, name: 'sample.mp4', role: 'trailer', size: bytes }
  const created = (await call(service, 'POST', '/api/files.json', { file })).file
  const uploadMs = await timed(() => send(service, created.upload_url, sample))
  const { public_url, status } = (await call(service, 'GET', `/api/files/${created.id}.json`)).file
  if (status !== 'ready') throw new Error(`the file is ${status}`)
  const bare = await startStatic(sample)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < Number(values.rounds); round += 1) {
    theirs.push(await timed(() => download(bare.address)))
    ours.push(await timed(() => download(public_url)))
  }
  const memory = await memoryWith(service, public_url, Number(values.downloads))
  const ratio = median(ours) / median(theirs)
  const line = (name: string, figure: string, isMet: boolean) =>
    console.log(`${isMet ? 'ok  ' : 'MISS'} ${name}: ${figure}`)
  console.log(`${values.mib} MiB`)
  line(
    'upload',
    `${mbPerSecond(uploadMs)} MB/s, ${(diskMs / uploadMs).toFixed(2)} of the disk (aim 0.6)`,
    diskMs / uploadMs >= 0.6,
  )
  line(
    'download',
    `${mbPerSecond(median(ours))} MB/s, ${ratio.toFixed(2)} times the bare server (aim 1.3)`,
    ratio <= 1.3,
  )
  const more = Math.round(memory.peak - memory.before)
  line(
    `${values.downloads} downloads`,
    `${more} MB more memory, ${Math.round(memory.peak)} MB in all (aim 50)`,
    more <= 50,
  )
  await rm(sample, { force: true })
}

try {
  await bench()
} finally {
  await cleanUp()
}
