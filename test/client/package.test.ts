import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { aPrice } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { openFilm, packetsOf } from '#test/media.ts'
import { anOwnedFilm, offlineFilm } from '#test/offline-apps.ts'
import { offer } from '#test/payments.ts'

const service = useService()
const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A folder with the package as it is published, and beside it a project that uses it. */
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-client-'))
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    await cp(join(ROOT, 'client', name), join(folder, 'package', name))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  await run(tsc, ['--project', join(ROOT, 'client'), '--outDir', join(folder, 'package/dist')])
  const packed = await npm('package', 'pack', '--ignore-scripts', '--pack-destination', folder, '--json')
  const [{ filename }] = JSON.parse(packed.stdout)
  await mkdir(join(folder, 'project'))
  await writeFile(join(folder, 'project/package.json'), '{ "private": true, "type": "module" }')
  await npm('project', 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs npm in a folder beside the package. */
function npm(at: string, ...args: string[]) {
  return run('npm', args, { cwd: join(folder, at) })
}

/** Puts the code of a section of the README, or of a guide, into a file of the project. */
async function codeOf(heading: string, document = 'client/README.md'): Promise<string> {
  const readme = await readFile(join(ROOT, document), 'utf8')
  const section = readme.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`))
  const code = /^```js\n([\s\S]*?)^```/m.exec(section ?? '')?.[1]
  assert.ok(code, `${heading} has code`)
  const path = join(folder, 'project', `${heading.replace(/\W/g, '')}.mjs`)
  await writeFile(path, code)
  return path
}

test('the first lines of the README work', async () => {
  const shop = await service.openShop()
  const env = { ...process.env, LICET_URL: service.url, LICET_TOKEN: shop.token }
  const { stdout } = await run(process.execPath, [await codeOf('Use it')], { env })
  const { products } = (await shop.get('/api/products.json')).body
  assert.deepEqual(
    products.map(({ title, published }: Record<string, unknown>) => [title, published]),
    [['The Long Way Home', true]],
  )
  assert.equal(stdout, `${products[0].id} The Long Way Home\n0 paid orders\n{ product_type: [ 'is required' ] }\n`)
})

test('the club in the README has a subscription, which is cancelled', async () => {
  const shop = await service.openShop()
  const price = await aPrice(service, shop, { currencies: [{ currency: 'EUR', price: 790 }] })
  const env = { ...process.env, LICET_URL: service.url, LICET_TOKEN: shop.token, LICET_PRICE: String(price.id) }
  const { stdout } = await run(process.execPath, [await codeOf('Sell a subscription')], { env })
  assert.match(stdout, /^\S+ signed_up\n\S+ started\n$/)
  const { subscriptions } = (await shop.get('/api/subscriptions.json')).body
  assert.deepEqual(
    subscriptions.map(({ status, email, amount }: Record<string, unknown>) => [status, email, amount]),
    [['cancelled', 'jane@example.com', 790]],
  )
})

test('the year in a minute of the guide has twelve renewals', async () => {
  const shop = await service.openShop({ sandbox: true })
  await offer(service, shop, { test: { enabled: true } })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'EUR', price: 790 }] })
  const { token } = await shop.withScopes('companies', 'customers', 'orders', 'products')
  const env = { ...process.env, LICET_URL: service.url, LICET_TOKEN: token, LICET_PRICE: String(price.id) }
  const code = await codeOf('3. Test a year with the client', 'docs/guides/test-a-year-in-a-minute.md')
  let isDone = false
  const ran = run(process.execPath, [code], { env }).finally(() => {
    isDone = true
  })
  while (!isDone) await service.runJobs()
  const { stdout } = await ran
  assert.equal(stdout.match(/^\S+ renewal_charged$/gm)?.length, 12)
  assert.match(stdout, /^12 renewals, 13 orders$/m)
})

test('the receiver of webhooks in the README works', async () => {
  const secret = 'the secret of an app'
  const port = await freePort()
  const env = { ...process.env, LICET_APP_SECRET: secret, PORT: String(port) }
  const receiver = spawn(process.execPath, [await codeOf('Webhooks')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(receiver.stdout)
  const firstLine = once(lines, 'line')
  try {
    const pairs = 'scopeorder/createid267227'
    const hash = createHash('sha256').update(`${secret}${pairs}`).digest('hex')
    const body = JSON.stringify({ scope: 'order/create', data: { id: '267227' }, hash })
    const at = new Date()
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret, { format: 'raw' }).sign('evt_1', at, body),
    }
    const post = (sent: string) => untilAnswered(`http://127.0.0.1:${port}`, { method: 'POST', body: sent, headers })
    assert.equal((await post(body)).status, 200)
    assert.deepEqual(await firstLine, ['order/create 267227'])
    assert.equal((await post(body.replace('267227', '267228'))).status, 400)
  } finally {
    receiver.kill()
    await once(receiver, 'exit')
  }
})

test('the receiver of webhooks in the README says when its secret is missing', async () => {
  const { LICET_APP_SECRET: _secret, ...env } = process.env
  const started = run(process.execPath, [await codeOf('Webhooks')], { env: { ...env, PORT: '0' } })
  await assert.rejects(started, /Set LICET_APP_SECRET to the secret of your app/)
})

/** What the example of an app without a connection does, in its own folder and at the time that its device shows. */
async function playerIn(name: string, shop: Shop) {
  const program = join(folder, 'project/offline-player.ts')
  await cp(join(ROOT, 'client/examples/offline-player.ts'), program)
  const place = join(folder, name)
  return {
    place,
    async run(args: string, { at = service.clock.now(), isOnline = true }: { at?: Date; isOnline?: boolean } = {}) {
      const own = { LICET_FOLDER: place, LICET_NOW: at.toISOString(), LICET_TOKEN: shop.token }
      const env = { ...process.env, ...own, LICET_URL: isOnline ? service.url : 'http://127.0.0.1:1' }
      const options = { env, encoding: 'buffer', maxBuffer: 50_000_000 } as const
      const { stdout, stderr } = await run(process.execPath, [program, ...args.split(' ')], options).catch(
        (failed: { stdout: Buffer; stderr: Buffer }) => failed,
      )
      return { film: stdout, said: stderr.toString().trim() }
    },
  }
}

test('the example of a player plays without a connection, and stops after the end and on a clock that was set back', async () => {
  const terms = { disable_on_clock_rollback: 1, total_concurrent_devices: 1, total_downloads: 1 }
  const owned = await anOwnedFilm(service, { terms })
  const hashes = async (bytes: Buffer) => {
    const track = await openFilm(bytes).getPrimaryVideoTrack()
    assert.ok(track)
    return (await packetsOf(track)).map(({ data }) => Buffer.from(data).toString('base64'))
  }
  const player = await playerIn('player', await owned.shop.asCustomer(owned.customer.id))
  assert.match((await player.run(`download ${owned.id}`)).said, /^v: \d+ bytes, from 0\na0: \d+ bytes, from 0\na1: .*$/)
  // A download that was interrupted goes on, and is no second one.
  const half = (await readFile(join(player.place, 'v'))).subarray(0, 70_001)
  await writeFile(join(player.place, 'v'), half)
  assert.match((await player.run(`download ${owned.id}`)).said, /^v: \d+ bytes, from 70001$/)
  const offline = (at: Date) => player.run('play', { at, isOnline: false })
  const day = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000)
  assert.deepEqual(await hashes((await offline(day(1))).film), await hashes(await offlineFilm()))
  assert.deepEqual((await offline(day(0.5))).said, 'refused: clock_set_back')
  const late = await offline(day(31))
  assert.deepEqual([late.said, late.film.length], ['refused: expired', 0])
  service.clock.advance(32 * 86_400)
  const later = await playerIn(
    'player',
    await (await owned.shop.asUser(owned.shop.userId)).asCustomer(owned.customer.id),
  )
  assert.equal((await later.run('refresh')).said, 'refreshed: end')
  assert.ok((await later.run('play', { isOnline: false })).film.length > 100_000)
  const { uses } = (await (await owned.shop.asUser(owned.shop.userId)).get(`/api/entitlements/${owned.id}/uses.json`))
    .body
  assert.deepEqual(
    uses.map(({ action }: Record<string, unknown>) => action),
    ['download', 'play'],
  )
  const other = await playerIn(
    'other',
    await (await owned.shop.asUser(owned.shop.userId)).asCustomer(owned.customer.id),
  )
  assert.equal((await other.run(`download ${owned.id}`)).said, 'refused: device_limit')
  assert.equal((await later.run('return')).said, '')
  await assert.rejects(access(later.place))
  assert.equal((await other.run(`download ${owned.id}`)).said, 'refused: downloads_used_up')
})

test('the README leads to nothing that the installed package does not have', async () => {
  const installed = join(folder, 'project/node_modules/@licet/client')
  const readme = await readFile(join(installed, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  for (const link of links.filter((each) => !/^(https?:|#)/.test(each))) await access(join(installed, link))
  assert.ok(
    (await readdir(folder)).some((name) => /^licet-client-.*\.tgz$/.test(name)),
    'npm pack makes the file',
  )
  assert.ok(readme.includes('licet-client-*.tgz'), 'and the README names it')
})

/** A program that was just started refuses connections until it listens. */
async function untilAnswered(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, init).catch(() => undefined)
    if (answer !== undefined) return answer
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Each line that must not compile says so, and the compiler complains about one that does. */
const USE = `
import { createClient, type Schemas, verifyWebhook } from '@licet/client'
const licet = createClient({ baseUrl: 'https://licet.example.com', accessToken: 'token' })
for await (const order of licet.orders.list({ financial_status: 'paid' })) order satisfies Schemas['Order']
for await (const page of licet.orders.list().pages()) page satisfies Schemas['Order'][]
;(await licet.orders.count({ status: 'open' })) satisfies number
;(await licet.products.create({ product_type: 9, title: 'Film' })) satisfies Schemas['Product']
;(await licet.products.delete(1)) satisfies undefined
;(await licet.customers.addresses.get('TNFEQBBVTEDXLUPN', 5)) satisfies Schemas['CustomerAddress']
;(await licet.request('GET', '/api/orders/{id}.json', { params: { id: 5 } })).order satisfies Schemas['Order']
const event = await verifyWebhook('', {}, '')
if (event.scope === 'product/update') event.data.long_id satisfies string
// @ts-expect-error There is no such status.
licet.orders.list({ financial_status: 'unknown' })
// @ts-expect-error The id is missing.
licet.orders.get()
// @ts-expect-error The body is missing.
licet.orders.create()
// @ts-expect-error Apps cannot create licenses.
licet.licenses.create({})
// @ts-expect-error This path has no such method.
licet.request('DELETE', '/api/orders.json')
// @ts-expect-error The id is missing.
licet.request('GET', '/api/orders/{id}.json')
// @ts-expect-error Orders have no long id.
if (event.scope === 'order/create') event.data.long_id
`

test('the types of the package are those of the API', async () => {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    types: [],
  }
  await writeFile(join(folder, 'project/use.mts'), USE)
  await writeFile(join(folder, 'project/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  await run(tsc, ['--project', join(folder, 'project')]).catch(({ stdout }) => assert.fail(stdout))
})

test('the package contains what belongs to it and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(folder, 'package'),
  })
  const [{ files }] = JSON.parse(stdout)
  const names: string[] = files.map(({ path }: { path: string }) => path)
  assert.deepEqual(
    names.filter((name) => !/^dist\/[a-z-]+(\.gen)?\.(js|d\.ts)$/.test(name)),
    ['LICENSE', 'README.md', 'package.json'],
  )
  const { exports } = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'))
  const promised = Object.values<Record<string, string>>(exports).flatMap((one) => Object.values(one))
  for (const file of promised) assert.ok(names.includes(file.slice('./'.length)), file)
  assert.equal(promised.length, 8)
})
