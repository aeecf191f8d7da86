// Downloads a protected film, and plays it without a connection. LICET_URL and LICET_TOKEN are the service and a token of the
// customer; LICET_FOLDER is where the film is kept, and LICET_NOW another time of the device, to try out what happens then.
//
//   node offline-player.ts download 1000     gets a license and the tracks, or goes on with a download
//   node offline-player.ts play | mpv -      plays without a connection
//   node offline-player.ts refresh           gets a new end, and reports what was played
//   node offline-player.ts return            gives the license back, and deletes everything
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createClient } from '@licet/client'
import {
  countPlay,
  createDeviceKeys,
  decryptTrack,
  downloadTrack,
  importDeviceKeys,
  openDeviceLicense,
  refreshDeviceLicense,
  returnDeviceLicense,
  type StoredLicense,
  takeDeviceLicense,
} from '@licet/client/device-licenses'

const {
  LICET_URL: baseUrl = '',
  LICET_TOKEN: accessToken = '',
  LICET_FOLDER: folder = 'offline',
  LICET_NOW,
} = process.env
const now = LICET_NOW === undefined ? new Date() : new Date(LICET_NOW)
const licet = createClient({ baseUrl, accessToken })
const fileOf = (name: string) => join(folder, name)
const store = (name: string, value: object) => writeFile(fileOf(name), JSON.stringify(value))
const load = async (name: string) => JSON.parse(await readFile(fileOf(name), 'utf8').catch(() => 'null'))
const sizeOf = async (name: string) => (await stat(fileOf(name)).catch(() => undefined))?.size ?? 0
const wipe = () => rm(folder, { recursive: true, force: true })

/** The key pair of this device. An app in a browser keeps it in IndexedDB, where no script can read its private half. */
async function thisDevice() {
  const stored = await load('device.json')
  if (stored !== null) return { device: stored.device as string, keys: await importDeviceKeys(stored.key) }
  const [device, keys] = [randomUUID(), await createDeviceKeys({ extractable: true })]
  await store('device.json', { device, key: await crypto.subtle.exportKey('jwk', keys.privateKey) })
  return { device, keys }
}

function explain(reason: string): void {
  console.error(`refused: ${reason}`)
  process.exitCode = 1
}

/** Opens the license that is stored, and remembers the time that the device has shown. */
async function open(license: StoredLicense) {
  const { keys } = await thisDevice()
  const decision = await openDeviceLicense(license, keys, { now })
  const seen = { ...license, lastSeen: decision.lastSeen }
  await store('license.json', seen)
  if (decision.allowed) return { decision, license: seen }
  if (decision.isFinal) await wipe()
  return explain(decision.reason)
}

async function download(entitlementId: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { decision, license } = await takeDeviceLicense(licet, entitlementId, { ...(await thisDevice()), now })
  const opened = license && (await open(license))
  if (opened === undefined) return explain(decision.code)
  for (const { id, bytes, etag } of opened.decision.license.tracks) {
    const from = await sizeOf(id)
    if (from >= bytes) continue
    const { stream, at } = await downloadTrack(licet, opened.license, id, { from, etag })
    await pipeline(Readable.fromWeb(stream as never), createWriteStream(fileOf(id), at === 0 ? {} : { flags: 'a' }))
    console.error(`${id}: ${bytes} bytes, from ${at}`)
  }
}

async function play(license: StoredLicense, track = 'v'): Promise<void> {
  const opened = await open(license)
  if (opened === undefined) return
  const encrypted = Readable.toWeb(createReadStream(fileOf(track))) as ReadableStream<Uint8Array>
  await store('license.json', countPlay(opened.license, now))
  await pipeline(Readable.fromWeb(decryptTrack(opened.decision, track, encrypted) as never), process.stdout)
}

async function refresh(license: StoredLicense): Promise<void> {
  const { decision, license: next, changed } = await refreshDeviceLicense(licet, license, { now })
  await store('license.json', next)
  if (!decision.allowed) return explain(decision.code)
  if (changed.includes('keys'))
    for (const { id } of (await open(next))?.decision.license.tracks ?? []) await rm(fileOf(id))
  console.error(`refreshed: ${changed.join(', ') || 'nothing has changed'}`)
}

const [command, ...words] = process.argv.slice(2)
const license: StoredLicense | null = await load('license.json')
if (command === 'download' && words[0] !== undefined) await download(words[0])
else if (license === null) explain('there is no license: download something first')
else if (command === 'play') await play(license, words[0])
else if (command === 'refresh') await refresh(license)
else if (command === 'return') await returnDeviceLicense(licet, license).then(wipe)
else explain('download ENTITLEMENT, play [TRACK], refresh or return')
