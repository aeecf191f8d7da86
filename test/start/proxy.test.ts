import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { selfSigned } from '#test/certificate.ts'
import { apt, onPath } from '#test/chromium.ts'
import { serve, temporaryFolder, until } from './program.ts'

const HOST = 'shops.example.com'

/** The nginx of this machine, or why there is none; as root it is installed. */
async function findNginx(): Promise<{ path: string } | { missing: string }> {
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

type Answer = { status: number; body: string }

function request(port: number, path: string, ca: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({ port, path, host: '127.0.0.1', servername: HOST, headers: { host: HOST }, ca }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    }).on('error', reject)
  })
}

describe('deploy/nginx.conf', async () => {
  const nginx = await findNginx()
  const skip = 'missing' in nginx && nginx.missing
  test('passes the check of nginx, and serves the shop by TLS only', { skip }, async () => {
    const program = 'path' in nginx ? nginx.path : ''
    const [folder, data] = [await temporaryFolder(), await temporaryFolder()]
    const [http, https, port] = [await freePort(), await freePort(), await freePort()]
    const service = await serve({
      LICET_DATA: data,
      PORT: String(port),
      LICET_BASE_URL: `https://${HOST}`,
      LICET_TRUST_PROXY: '127.0.0.1',
    })
    const { key, cert } = selfSigned(HOST)
    const live = join(folder, 'live')
    await mkdir(live)
    await Promise.all([writeFile(join(live, 'fullchain.pem'), cert), writeFile(join(live, 'privkey.pem'), key)])
    const site = (await readFile(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8'))
      .replaceAll(`/etc/letsencrypt/live/${HOST}`, live)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll(/listen \[::\].*\n/g, '')
      .replace('listen 80 ', `listen 127.0.0.1:${http} `)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    const config = join(folder, 'nginx.conf')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    )
    await writeFile(
      config,
      `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr; events {}
       http { access_log off; ${paths.join(' ')}\n${site}\n}`,
    )
    const args = ['-c', config, '-p', folder, '-e', 'stderr']
    const check = spawnSync(program, ['-t', ...args], { encoding: 'utf8' })
    assert.equal(check.status, 0, check.stderr)
    const proxy = spawn(program, args, { stdio: 'ignore' })
    after(() => void proxy.kill('SIGKILL'))
    await until('nginx listens', () =>
      fetch(`http://127.0.0.1:${http}/`, { redirect: 'manual' }).then(
        () => true,
        () => false,
      ),
    )
    const plain = await fetch(`http://127.0.0.1:${http}/api/products.json?limit=1`, { redirect: 'manual' })
    assert.equal(plain.status, 308)
    assert.match(plain.headers.get('location') ?? '', /^https:\/\/127\.0\.0\.1\/api\/products\.json\?limit=1$/)
    const list = await request(https, `/api/products.json?limit=1&access_token=${service.token}`, cert)
    assert.equal(list.status, 200, list.body)
    assert.equal((await request(https, '/metrics', cert)).status, 404)
    // A page that takes passwords opens over https only, so the service has understood the protocol of the client.
    assert.equal((await request(https, '/sign-in', cert)).status, 200)
    service.kill('SIGTERM')
    await service.ended
  })
})
