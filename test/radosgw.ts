import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { S3Settings } from '#platform/files/s3-files.ts'
import type { Certificate } from './certificate.ts'

/**
 * Ceph's own S3 server on a storage cluster of one process, whose disk is its memory. It is a real server: it checks
 * signatures, parts and ranges. Debian has it in the packages radosgw, ceph-mon and ceph-osd.
 */

const TOOLS = ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'monmaptool']

export const hasRadosgw = TOOLS.every((tool) => existsSync(`/usr/bin/${tool}`))

const run = promisify(execFile)
const READY_MS = 60_000

export type Radosgw = {
  settings: Omit<S3Settings, 'bucket'>
  /** Where it also answers with TLS, if it has a certificate. */
  tlsPort: number
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}

function settingsFile(folder: string, fsid: string, monitorPort: number, endpoints: string): string {
  return `[global]
fsid = ${fsid}
mon host = v2:127.0.0.1:${monitorPort}
mon initial members = a
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
pid file = ${folder}/$name.pid
crash dir = ${folder}
public addr = 127.0.0.1
ms bind msgr1 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
[mon]
mon data = ${folder}/mon
mon data avail crit = 1
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
osd class load list = *
osd class default list = *
[client.rgw]
rgw frontends = beast ${endpoints}
rgw thread pool size = 16
`
}

const KEYS: readonly (readonly string[])[] = [
  ['mon.', 'mon', 'allow *'],
  ['client.admin', 'mon', 'allow *', 'osd', 'allow *'],
  ['osd.0', 'mon', 'allow profile osd', 'osd', 'allow *'],
  ['client.rgw', 'mon', 'allow rw', 'osd', 'allow rwx'],
]

/** Starts the server and makes one account. It takes a quarter of a minute. */
export async function startRadosgw(certificate?: Certificate): Promise<Radosgw> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-radosgw-'))
  const processes: ChildProcess[] = []
  const stop = async () => {
    for (const process of processes) process.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    return { ...(await start(folder, processes, certificate)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  folder: string,
  processes: ChildProcess[],
  certificate: Certificate | undefined,
): Promise<Omit<Radosgw, 'stop'>> {
  const [fsid, osdId] = [randomUUID(), randomUUID()]
  const [monitorPort, port, tlsPort] = [await freePort(), await freePort(), await freePort()]
  const settings = join(folder, 'ceph.conf')
  const [keyring, monmap] = [join(folder, 'keyring'), join(folder, 'monmap')]
  const call = (tool: string, ...args: string[]) => run(tool, ['-c', settings, ...args], { timeout: READY_MS })
  const keep = (tool: string, ...args: string[]) =>
    void processes.push(spawn(tool, ['-c', settings, ...args, '-f'], { stdio: 'ignore' }))

  await Promise.all(['mon', 'osd'].map((name) => mkdir(join(folder, name))))
  const endpoints = [`endpoint=127.0.0.1:${port}`]
  if (certificate !== undefined) {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    await Promise.all([writeFile(cert, certificate.cert), writeFile(key, certificate.key)])
    endpoints.push(`ssl_endpoint=127.0.0.1:${tlsPort} ssl_certificate=${cert} ssl_private_key=${key}`)
  }
  await writeFile(settings, settingsFile(folder, fsid, monitorPort, endpoints.join(' ')))
  await writeFile(keyring, '')
  for (const [name = '', ...caps] of KEYS) {
    const pairs = caps.flatMap((text, at) => (at % 2 === 0 ? ['--cap', text] : [text]))
    await run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...pairs])
  }
  await run('monmaptool', ['--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', fsid, monmap])
  await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', monmap, '--keyring', keyring)
  keep('ceph-mon', '-i', 'a')
  await call('ceph', 'osd', 'new', osdId, '0')
  await call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osdId, '--monmap', monmap, '--keyring', keyring)
  keep('ceph-osd', '-i', '0')
  await call('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'host=one', 'root=default')
  keep('radosgw', '-n', 'client.rgw')
  const endpoint = `http://127.0.0.1:${port}`
  const deadline = Date.now() + READY_MS
  while (!(await fetch(endpoint).then(Boolean, () => false))) {
    if (Date.now() > deadline) throw new Error('radosgw did not start')
    await sleep(100)
  }
  const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: randomUUID() }
  const account = ['--uid=test', '--display-name=Test']
  const keys = [`--access-key=${credentials.accessKeyId}`, `--secret-key=${credentials.secretAccessKey}`]
  await call('radosgw-admin', 'user', 'create', ...account, ...keys)
  return { settings: { region: 'us-east-1', endpoint, credentials }, tlsPort }
}
