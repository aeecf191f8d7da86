import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSigned } from './certificate.ts'
import { apt, onPath } from './chromium.ts'

export const HOST = 'shops.example.com'

/** The nginx of this machine, or why there is none; as root it is installed. */
export async function findNginx(): Promise<{ path: string } | { missing: string }> {
  const find = () => onPath('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })
  let path = find()
  if (path === undefined && process.getuid?.() === 0) {
    // Package lists may be outdated or missing; if they cannot be refreshed, the old ones may still work.
    await apt('update')
    const failure = await apt('install', '--no-install-recommends', 'nginx-light')
    if (failure !== undefined) return { missing: `nginx cannot be installed: ${failure}` }
    path = find()
  }
  return path === undefined ? { missing: 'there is no nginx on this machine' } : { path }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

export type ProxyAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

export type DeployedNginx = {
  /** The port that redirects to https. */
  httpPort: number
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<ProxyAnswer>
  stop(): Promise<void>
}

/** Starts nginx with deploy/nginx.conf, adapted as its comments say, in front of services on these ports. */
export async function startDeployedNginx(program: string, servicePorts: readonly number[]): Promise<DeployedNginx> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-nginx-'))
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const { key, cert } = selfSigned(HOST)
  const live = join(folder, 'live')
  await mkdir(live)
  await Promise.all([writeFile(join(live, 'fullchain.pem'), cert), writeFile(join(live, 'privkey.pem'), key)])
  const deployed = await readFile(new URL('../deploy/nginx.conf', import.meta.url), 'utf8')
  const [, parameters = ''] = /server 127\.0\.0\.1:3000(.*);/.exec(deployed) ?? []
  const servers = servicePorts.map((port) => `server 127.0.0.1:${port}${parameters};`)
  const site = deployed
    .replaceAll(`/etc/letsencrypt/live/${HOST}`, live)
    .replace(/server 127\.0\.0\.1:3000.*;/, servers.join(' '))
    .replaceAll(/listen \[::\].*\n/g, '')
    .replace('listen 80 ', `listen 127.0.0.1:${httpPort} `)
    .replace('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
  const stop = await runNginx(program, folder, site, `http://127.0.0.1:${httpPort}/`)
  const agent = new Agent({ keepAlive: true, ca: cert, servername: HOST })
  const send: DeployedNginx['send'] = (method, path, headers = {}, body = '') =>
    new Promise((resolve, reject) => {
      const options = { agent, method, path, host: '127.0.0.1', port: httpsPort }
      request({ ...options, headers: { host: HOST, ...headers } }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
      })
        .on('error', reject)
        .end(body)
    })
  return {
    httpPort,
    send,
    async stop() {
      agent.destroy()
      await stop()
    },
  }
}

/** Starts nginx with a site, waits until it answers at the address, and returns how to stop it. The folder goes with it. */
export async function runNginx(
  program: string,
  folder: string,
  site: string,
  url: string,
): Promise<() => Promise<void>> {
  const config = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  await writeFile(
    config,
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
     events { worker_connections 8192; } http { access_log off; ${paths.join(' ')}\n${site}\n}`,
  )
  const args = ['-c', config, '-p', folder, '-e', 'stderr']
  const check = spawnSync(program, ['-t', ...args], { encoding: 'utf8' })
  if (check.status !== 0) throw new Error(check.stderr)
  const nginx = spawn(program, args, { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  for (let tries = 0; !(await fetch(url, { redirect: 'manual' }).then(Boolean, () => false)); tries += 1) {
    if (tries === 200) throw new Error('nginx did not start')
    await sleep(50)
  }
  return async () => {
    nginx.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
