import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { get, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { rssMb } from '../machine.ts'

const MP4_HEAD = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex')
const CHUNK_BYTES = 4 * 1_048_576

/** Writes a file as fast as the disk takes it, and waits until it is there: the floor of an upload. */
export async function writeSample(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  const chunk = randomBytes(CHUNK_BYTES)
  await file.write(MP4_HEAD)
  for (let left = bytes - MP4_HEAD.length; left > 0; left -= chunk.length)
    await file.write(chunk, 0, Math.min(chunk.length, left))
  await file.sync()
  await file.close()
}

/** Sends a file as the body of one request. */
export function send(url: string, method: string, headers: OutgoingHttpHeaders, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const upload = request(url, { method, headers }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 204 ? resolve() : reject(new Error(String(response.statusCode))),
      )
    })
    upload.once('error', reject)
    createReadStream(path, { highWaterMark: 1_048_576 }).pipe(upload)
  })
}

export function download(url: string, bytes: number): Promise<void> {
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

/** Fails unless floor and service send the file that was uploaded. */
export async function compareFiles(sample: string, urls: readonly string[]): Promise<number> {
  const wanted = createHash('sha256')
  for await (const chunk of createReadStream(sample)) wanted.update(chunk)
  const digest = wanted.digest('hex')
  for (const url of urls) {
    const found = createHash('sha256')
    for await (const chunk of (await fetch(url)).body ?? []) found.update(chunk)
    if (found.digest('hex') !== digest) throw new Error(`${url} sends another file than the one that was uploaded`)
  }
  return urls.length
}

const TICK_MS = 200

/** The highest memory of a process while many readers take a file slowly. */
export async function memoryWith(
  pid: number,
  url: string,
  downloads: number,
  seconds: number,
): Promise<{ before: number; peak: number }> {
  const before = rssMb(pid)
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
  for (let waited = 0; waited < seconds * 1000; waited += TICK_MS) {
    await sleep(TICK_MS)
    peak = Math.max(peak, rssMb(pid))
  }
  for (const end of requests) end()
  return { before, peak }
}
