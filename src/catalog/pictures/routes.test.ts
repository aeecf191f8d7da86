import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { createClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/database.ts'
import { createFiles, type Files } from '#platform/files/files.ts'
import { createServer } from '#platform/http/server.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { PICTURE_WIDTHS } from './names.rules.ts'
import { pictureSrc } from './present.ts'
import { pictureRoutes } from './routes.ts'

const HASH = '0123456789abcdef0123456789abcdef'

const folder = await mkdtemp(join(tmpdir(), 'licet-picture-routes-'))
const files = createFiles(join(folder, 'files'))
const app = await openApp(files)

after(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** The service with nothing but pictures; their routes do not use the database. */
async function openApp(served: Files) {
  const { db, reads } = openDatabase({ host: '/nowhere', user: 'nobody', database: 'none' }, { poolMax: 1 })
  const opened = await createServer({
    db,
    reads,
    clock: createClock(),
    log: createLog('silent'),
    metrics: createMetrics(),
    bodyLimitBytes: 1024,
    metricsToken: undefined,
    findCaller: async () => undefined,
    whenRevoked: () => {},
    trustProxy: [],
    connections: { perAddressMax: 1, totalMax: 1, stalledMs: 1000 },
    shedding: { delayMsMax: 0 },
    rateLimit: { burst: 1, perSecond: 1 },
    fingerprintKey: Buffer.alloc(32),
  })
  await opened.register(pictureRoutes(served))
  return opened
}

let nextId = 1

/** Stores a picture where the fetcher does, and returns its URL. */
async function keep(bytes: Buffer, extension: string): Promise<{ id: number; path: string }> {
  const id = nextId++
  await files.put(`pictures/1000/${id}/${HASH}.${extension}`, bytes)
  return { id, path: `/pictures/1000/${id}` }
}

function paint(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: 'red' } })
}

describe('GET /pictures/{company}/{id}/{file}', () => {
  const types = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp', avif: 'image/avif' }

  for (const [extension, type] of Object.entries(types)) {
    test(`serves an original as it is, to be kept for ever: ${extension}`, async () => {
      const bytes = Buffer.alloc(100_000, extension)
      const { path } = await keep(bytes, extension)
      const answer = await app.inject({
        url: `${path}/${HASH}.${extension}`,
        headers: { 'accept-encoding': 'gzip, br' },
      })
      assert.equal(answer.statusCode, 200)
      assert.deepEqual(answer.rawPayload, bytes)
      assert.equal(answer.headers['content-type'], type)
      assert.equal(answer.headers['content-length'], '100000')
      assert.equal(answer.headers['content-encoding'], undefined)
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'")
    })
  }

  test('answers 304 to those who have it', async () => {
    const { path } = await keep(await paint(20, 10).png().toBuffer(), 'png')
    for (const file of [`${HASH}.png`, `${HASH}_160.webp`]) {
      const { etag } = (await app.inject(`${path}/${file}`)).headers
      for (const held of [String(etag), `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await app.inject({ url: `${path}/${file}`, headers: { 'if-none-match': held } })
        assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag])
        assert.match(String(again.headers['cache-control']), /immutable/)
      }
      assert.equal(
        (await app.inject({ url: `${path}/${file}`, headers: { 'if-none-match': '"other"' } })).statusCode,
        200,
      )
    }
    const absent = await app.inject({ url: `/pictures/1000/999/${HASH}.png`, headers: { 'if-none-match': '*' } })
    assert.equal(absent.statusCode, 404)
  })

  test('answers HEAD without a body', async () => {
    const { path } = await keep(Buffer.alloc(500), 'png')
    const answer = await app.inject({ method: 'HEAD', url: `${path}/${HASH}.png` })
    assert.deepEqual([answer.statusCode, answer.body, answer.headers['content-length']], [200, '', '500'])
  })

  test('makes each width as webp, upright, never larger than the original', async () => {
    const { path } = await keep(await paint(400, 1000).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'jpg')
    for (const width of PICTURE_WIDTHS) {
      const answer = await app.inject(`${path}/${HASH}_${width}.webp`)
      assert.equal(answer.headers['content-type'], 'image/webp')
      const size = await sharp(answer.rawPayload).metadata()
      const expected = Math.min(width, 1000)
      assert.deepEqual(
        [size.format, size.width, size.height, size.exif],
        ['webp', expected, Math.round(expected * 0.4), undefined],
      )
    }
  })

  test('makes a small PNG for mails, because some mail programs do not show WebP', async () => {
    const noise = sharp({
      create: {
        width: 600,
        height: 900,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
    const { path } = await keep(await noise.webp().toBuffer(), 'webp')
    const answer = await app.inject(`${path}/${HASH}_112.png`)
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'image/png'])
    const { format, width, height } = await sharp(answer.rawPayload).metadata()
    assert.deepEqual([format, width, height], ['png', 112, 168])
    assert.ok(answer.rawPayload.length < 24_000, `${answer.rawPayload.length} bytes`)
  })

  test('serves sizes of every kind of original', async () => {
    const originals = {
      jpg: paint(9, 9).jpeg(),
      png: paint(9, 9).png(),
      gif: paint(9, 9).gif(),
      webp: paint(9, 9).webp(),
      avif: paint(9, 9).avif(),
    }
    for (const [extension, image] of Object.entries(originals)) {
      const { path } = await keep(await image.toBuffer(), extension)
      assert.equal((await app.inject(`${path}/${HASH}_160.webp`)).statusCode, 200)
    }
  })

  test('makes a size once for all who ask at the same time', async () => {
    const { path, id } = await keep(await paint(3000, 2000).png().toBuffer(), 'png')
    const puts: string[] = []
    const put: Files['put'] = (key, bytes) => {
      puts.push(key)
      return files.put(key, bytes)
    }
    const counted = await openApp({ ...files, put })
    const answers = await Promise.all(Array.from({ length: 20 }, () => counted.inject(`${path}/${HASH}_320.webp`)))
    assert.ok(
      answers.every(({ statusCode, rawPayload }) => statusCode === 200 && rawPayload.equals(answers[0]!.rawPayload)),
    )
    assert.deepEqual(puts, [`pictures/1000/${id}/${HASH}_320.webp`])
    await counted.inject(`${path}/${HASH}_320.webp`)
    assert.equal(puts.length, 1)
    await counted.close()
  })

  test('leaves no size behind of a picture that is deleted in the meantime', async () => {
    const { path, id } = await keep(await paint(30, 20).png().toBuffer(), 'png')
    const key = `pictures/1000/${id}`
    const racing = await openApp({
      ...files,
      put: async (name, bytes) => files.deleteAll(key).then(() => files.put(name, bytes)),
    })
    assert.equal((await racing.inject(`${path}/${HASH}_320.webp`)).statusCode, 404)
    await assert.rejects(readdir(join(folder, 'files', key)), { code: 'ENOENT' })
    await racing.close()
  })

  test('serves what the documents point to', async () => {
    const { id } = await keep(await paint(9, 9).png().toBuffer(), 'png')
    const picture = { id, source_url: 'http://example.com/a.png', state: 'stored', file: `${HASH}.png`, position: 1 }
    const address = pictureSrc(1000, picture)
    assert.equal((await app.inject(address.replace(OWN_ADDRESS, ''))).statusCode, 200, address)
  })
})

describe('what is no picture is a 404', () => {
  test('unknown pictures, widths and kinds', async () => {
    const { path, id } = await keep(await paint(9, 9).png().toBuffer(), 'png')
    const wrong = [
      `/pictures/1001/${id}/${HASH}.png`,
      `/pictures/1000/99999/${HASH}.png`,
      `/pictures/1000/99999/${HASH}_160.webp`,
      `${path}/${HASH}.jpg`,
      `${path}/${HASH}_161.webp`,
      `${path}/${HASH}_160.png`,
      `${path}/${HASH}_112.webp`,
      `${path}/${HASH}`,
      `${path}/${HASH.toUpperCase()}.png`,
      `${path}/${HASH}.png.`,
      `${path}/${HASH}.png%0a`,
      `${path}/${HASH}.png%00`,
    ]
    for (const url of wrong) {
      const answer = await app.inject(url)
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'not_found'], url)
      assert.equal(answer.headers['cache-control'], undefined)
    }
  })

  test('no path leads out of the pictures', async () => {
    await writeFile(join(folder, 'secret'), 'secret')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address() as { port: number }
    const climbs = [
      '/pictures/../../secret',
      '/pictures/..%2f..%2f/1/secret',
      '/pictures/1000/..%2f..%2f..%2f/secret',
      '/pictures/1000/1/..%2f..%2f..%2f..%2fsecret',
      '/pictures/1000/1/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fsecret',
      '/pictures/1000/1/..%5c..%5csecret',
      '/pictures/1000/../1000/secret',
      '/pictures/%2e%2e/%2e%2e/secret',
      '/pictures/1000/1/%252e%252e%252fsecret',
      `/pictures/1000/1/${HASH}.png%2f..%2f..%2fsecret`,
      '/pictures/1000/1/.part',
      '/pictures/1e3/1/secret',
      '/pictures/-1/01/secret',
    ]
    // Written by hand, because clients normalize a path before they send it.
    for (const path of climbs) {
      const socket = connect(address.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      const answer = await text(socket)
      assert.match(answer, /^HTTP\/1.1 404 /, path)
      assert.doesNotMatch(answer, /\r\n\r\nsecret/)
    }
  })
})
