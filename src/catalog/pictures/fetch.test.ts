import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { createClock } from '#platform/clock.ts'
import { type Connection, type DatabaseHandle, openDatabase } from '#platform/db/database.ts'
import { copyTables } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createFiles, type Files } from '#platform/files/files.ts'
import type { JobHandler } from '#platform/jobs/handlers.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { createOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type PictureOwner, removePictures, savePictures } from './commands.ts'
import { createPictureFetcher, createPictureFilesDeleter, type OnStored } from './fetch.worker.ts'
import { DELETE_PICTURE_FILES } from './jobs.ts'
import { findPicture, listFailedPictures } from './queries.ts'
import type { Picture } from './rules.ts'

function paint(width: number, height: number) {
  return sharp({
    create: { width, height, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const jpeg = await paint(300, 200).jpeg().toBuffer()
const png = await paint(300, 200).png().toBuffer()
const avif = await paint(300, 200).avif().toBuffer()

/** An AVIF whose box of the size claims another one. */
function withAvifSize(image: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(image)
  const at = changed.indexOf('ispe')
  changed.writeUInt32BE(width, at + 8)
  changed.writeUInt32BE(height, at + 12)
  return changed
}

/** A PNG whose header claims another size: painting so many pixels would take seconds. */
function withSize(image: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(image)
  changed.writeUInt32BE(width, 16)
  changed.writeUInt32BE(height, 20)
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29)
  return changed
}

const NO_PICTURES: Record<string, [Buffer | string, RegExp]> = {
  'HTML that calls itself PNG': ['<!doctype html><title>Not found</title>', /not a JPEG/],
  SVG: [svg, /not a JPEG/],
  PDF: ['%PDF-1.7\n', /not a JPEG/],
  TIFF: [await paint(9, 9).tiff().toBuffer(), /not a JPEG/],
  'an empty file': ['', /not a JPEG/],
  'HTML behind the first bytes of a PNG': [Buffer.concat([png.subarray(0, 8), Buffer.from(svg)]), /damaged/],
  'a truncated JPEG': [jpeg.subarray(0, jpeg.length * 0.7), /damaged/],
  'a truncated PNG': [png.subarray(0, png.length * 0.7), /damaged/],
  'a truncated WebP': [(await paint(300, 200).webp().toBuffer()).subarray(0, 9000), /damaged/],
  'a truncated GIF': [(await paint(300, 200).gif().toBuffer()).subarray(0, 30_000), /damaged/],
  'a truncated AVIF': [avif.subarray(0, 5000), /damaged/],
  'more pixels than anyone has use for': [withSize(png, 11_000, 10_000), /more than 40 million pixels/],
  'an AVIF that would unpack to gigabytes': [withAvifSize(avif, 9999, 9999), /more than 40 million pixels/],
  '11 MiB': [Buffer.alloc(11 * 1_048_576), /larger than 10 MiB/],
}

/** A database and a folder for this file. */
function useDatabase(): { db(): DatabaseHandle['db']; connection(): Connection; folder(): string } {
  let folder: string
  let database: TestDatabase
  let handle: DatabaseHandle
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'licet-pictures-'))
    database = await createDatabase()
    handle = openDatabase(database.connection, { poolMax: 5 })
  })
  after(async () => {
    await handle.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return { db: () => handle.db, connection: () => database.connection, folder: () => folder }
}

const database = useDatabase()
const outbounds: Outbound[] = []
const closing: (() => void)[] = []
let nextId = 1

after(async () => {
  for (const close of closing) close()
  for (const outbound of outbounds) await outbound.close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function serveBytes(bytes: Buffer | string, contentType = 'image/png'): Promise<string> {
  return serve((_request, response) => response.setHeader('content-type', contentType).end(bytes))
}

type Shop = {
  companyId: number
  owner: { product_key: number }
  files: Files
  fetchPicture: JobHandler
  deleteFiles: JobHandler
  told: PictureOwner[]
}

/** A company with one product, and handlers as the worker has them. */
async function openShop(options: { allowLoopback?: boolean; onStored?: OnStored } = {}): Promise<Shop> {
  const db = database.db()
  const { rows: companies } = await sql<{ id: number }>`
    insert into companies (company_name, email, created_at, updated_at) values ('Shop', 'a@example.com', now(), now()) returning id`.execute(
    db,
  )
  const companyId = companies[0]!.id
  const { rows: products } = await sql<{ id: number }>`
    insert into products (company_id, product_id, title, version, comment, product_type, created_at, updated_at, published, pre_sales,
      drm_protected, allow_download_trial, mirrored, valid, manage_stock, locales, chapters, tagging, document, priced)
    values (${companyId}, '0001-0000-0000-0001', 'A', '1', '', 1, now(), now(), true, false,
      false, 0, false, true, false, '[]', '[]', '[]', '{}', false) returning id`.execute(db)
  const files = createFiles(join(database.folder(), 'files'))
  const outbound = createOutbound({ allowed: { loopback: options.allowLoopback ?? true, networks: [] } })
  outbounds.push(outbound)
  const told: PictureOwner[] = []
  const onStored: OnStored = options.onStored ?? (async (_tx, _companyId, owner) => void told.push(owner))
  const fetchPicture = createPictureFetcher({ db, files, outbound, clock: createClock(), onStored })
  return {
    companyId,
    owner: { product_key: products[0]!.id },
    files,
    fetchPicture,
    deleteFiles: createPictureFilesDeleter({ db, files, clock: createClock() }),
    told,
  }
}

function pending(id: number, sourceUrl: string): Picture {
  return { id, source_url: sourceUrl, state: 'pending', file: null, position: 1 }
}

async function addPicture({ companyId, owner }: Shop, sourceUrl: string): Promise<number> {
  const id = nextId++
  await inTransaction(database.db(), (tx) =>
    savePictures(tx, companyId, owner, [], [pending(id, sourceUrl)], new Date()),
  )
  return id
}

function jobFor(shop: Shop, id: number, attempts = 1) {
  return { id: 1, companyId: shop.companyId, kind: 'picture/fetch', data: { id }, attempts }
}

/** Adds a picture, runs its job once, and returns the row. */
async function fetchOnce(shop: Shop, sourceUrl: string) {
  const id = await addPicture(shop, sourceUrl)
  await shop.fetchPicture.run(jobFor(shop, id))
  return (await findPicture(database.db(), shop.companyId, id))!
}

function folderOf(shop: Shop, id: number): string {
  return join(database.folder(), 'files/pictures', String(shop.companyId), String(id))
}

const FORMATS = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', avif: 'avif' } as const

describe('a fetched picture', () => {
  for (const [format, extension] of Object.entries(FORMATS) as [keyof typeof FORMATS, string][]) {
    test(`is kept as it came, with its measures: ${format}`, async () => {
      const shop = await openShop()
      const bytes = await paint(123, 77)[format]().toBuffer()
      // The content decides what a picture is, not what the server calls it.
      const picture = await fetchOnce(shop, await serveBytes(bytes, 'text/html'))
      const { state, content_type, width, height, failure } = picture
      assert.deepEqual(
        { state, content_type, width, height, failure },
        { state: 'stored', content_type: `image/${format}`, width: 123, height: 77, failure: null },
      )
      assert.equal(picture.bytes, bytes.length)
      assert.ok(picture.stored_at instanceof Date)
      assert.match(picture.file ?? '', new RegExp(`^[0-9a-f]{32}\\.${extension}$`))
      assert.deepEqual(await shop.files.read(`pictures/${shop.companyId}/${picture.id}/${picture.file}`), bytes)
      assert.deepEqual(shop.told, [shop.owner])
    })
  }

  test('has the measures that people see, not those of a camera held upright', async () => {
    const bytes = await paint(90, 60).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height } = await fetchOnce(await openShop(), await serveBytes(bytes))
    assert.deepEqual({ width, height }, { width: 60, height: 90 })
  })

  test('is stored together with its owner’s document, or not at all', async () => {
    const shop = await openShop({ onStored: () => Promise.reject(new Error('no document')) })
    const id = await addPicture(shop, await serveBytes(await paint(5, 5).png().toBuffer()))
    await assert.rejects(shop.fetchPicture.run(jobFor(shop, id)), /no document/)
    assert.equal((await findPicture(database.db(), shop.companyId, id))?.state, 'pending')
    await assert.rejects(shop.fetchPicture.run(jobFor(shop, id, TRIES_MAX)), /no document/)
    const given = await findPicture(database.db(), shop.companyId, id)
    assert.deepEqual([given?.state, given?.failure], ['failed', 'The picture could not be stored.'])
  })

  test('is not fetched again, nor is one that is gone or has no source', async () => {
    const shop = await openShop()
    let hits = 0
    const bytes = await paint(5, 5).png().toBuffer()
    const url = await serve((_request, response) => {
      hits += 1
      response.end(bytes)
    })
    const { id } = await fetchOnce(shop, url)
    await shop.fetchPicture.run(jobFor(shop, id))
    await shop.fetchPicture.run(jobFor(shop, 999_999))
    assert.equal((await fetchOnce(shop, '')).state, 'pending')
    assert.equal(hits, 1)
  })
})

describe('a refusal that will not change is recorded at once', () => {
  for (const [name, [bytes, reason]] of Object.entries(NO_PICTURES)) {
    test(name, async () => {
      const shop = await openShop()
      const picture = await fetchOnce(shop, await serveBytes(bytes))
      assert.equal(picture.state, 'failed')
      assert.match(picture.failure ?? '', reason)
      assert.deepEqual(shop.told, [])
      await assert.rejects(readdir(folderOf(shop, picture.id)), { code: 'ENOENT' })
    })
  }

  test('404, a private address and another protocol, and they are listed', async () => {
    const shop = await openShop({ allowLoopback: false })
    const lenient = { ...shop, fetchPicture: (await openShop()).fetchPicture }
    const url = await serve((_request, response) => response.writeHead(404).end())
    const missing = await fetchOnce(lenient, url)
    const inside = await fetchOnce(shop, url.replace('127.0.0.1', 'localhost'))
    const local = await fetchOnce(shop, 'file:///etc/passwd')
    const failed = await listFailedPictures(database.db(), shop.companyId, 10)
    assert.deepEqual(
      failed.map(({ id, failure }) => [id, failure]),
      [
        [local.id, 'The address must start with http:// or https://.'],
        [inside.id, 'The address leads into a private network, which is not allowed.'],
        [missing.id, 'The server answered 404 Not Found.'],
      ],
    )
    const all = await listFailedPictures(database.db(), undefined, 1000)
    assert.ok(failed.every(({ id }) => all.some((picture) => picture.id === id)))
    assert.deepEqual(await listFailedPictures(database.db(), (await openShop()).companyId, 10), [])
  })
})

describe('a failure that may pass', () => {
  test('is thrown, so that the loop tries again, until the last try records it', async () => {
    const shop = await openShop()
    const id = await addPicture(shop, await serve((_request, response) => response.writeHead(503).end()))
    for (let attempt = 1; attempt < TRIES_MAX; attempt += 1) {
      await assert.rejects(shop.fetchPicture.run(jobFor(shop, id, attempt)), /answered 503/)
      const { state, attempts, failure } = (await findPicture(database.db(), shop.companyId, id))!
      assert.deepEqual(
        { state, attempts, failure },
        { state: 'pending', attempts: attempt, failure: 'The server answered 503 Service Unavailable.' },
      )
    }
    await shop.fetchPicture.run(jobFor(shop, id, TRIES_MAX))
    const { state, attempts } = (await findPicture(database.db(), shop.companyId, id))!
    assert.deepEqual({ state, attempts }, { state: 'failed', attempts: TRIES_MAX })
  })

  test('is forgotten when a later try succeeds', async () => {
    const shop = await openShop()
    const answers = [429, 200]
    const bytes = await paint(5, 5).png().toBuffer()
    const id = await addPicture(
      shop,
      await serve((_request, response) => response.writeHead(answers.shift() ?? 500).end(bytes)),
    )
    await assert.rejects(shop.fetchPicture.run(jobFor(shop, id, 1)))
    await shop.fetchPicture.run(jobFor(shop, id, 2))
    const { state, failure } = (await findPicture(database.db(), shop.companyId, id))!
    assert.deepEqual({ state, failure }, { state: 'stored', failure: null })
  })

  // A picture that crashes the process leaves nothing but the number of attempts.
  test('that was never reported ends too', async () => {
    const shop = await openShop()
    const id = await addPicture(shop, await serveBytes(png))
    await shop.fetchPicture.giveUp?.(jobFor(shop, id, TRIES_MAX + 1))
    const { state, failure } = (await findPicture(database.db(), shop.companyId, id))!
    assert.deepEqual({ state, failure }, { state: 'failed', failure: 'The picture could not be processed.' })
  })
})

describe('a picture that changes while it is being fetched', () => {
  test('keeps the newer source: success and failure of the older one are dropped', async () => {
    for (const status of [200, 404]) {
      const shop = await openShop()
      const db = database.db()
      const url = await serve(async (_request, response) => {
        const newer = pending(id, 'http://newer.example/b.png')
        await inTransaction(db, (tx) =>
          savePictures(tx, shop.companyId, shop.owner, [pending(id, url)], [newer], new Date()),
        )
        response.writeHead(status).end(png)
      })
      const id = await addPicture(shop, url)
      await shop.fetchPicture.run(jobFor(shop, id))
      const { state, source_url, file, failure } = (await findPicture(db, shop.companyId, id))!
      assert.deepEqual(
        { state, source_url, file, failure },
        { state: 'pending', source_url: 'http://newer.example/b.png', file: null, failure: null },
      )
      assert.deepEqual(shop.told, [])
    }
  })

  test('leaves no file when it was removed', async () => {
    const shop = await openShop()
    const url = await serve(async (_request, response) => {
      await inTransaction(database.db(), (tx) => removePictures(tx, shop.companyId, [id], new Date()))
      await shop.deleteFiles.run(jobFor(shop, id))
      response.end(png)
    })
    const id = await addPicture(shop, url)
    await shop.fetchPicture.run(jobFor(shop, id))
    await assert.rejects(readdir(folderOf(shop, id)), { code: 'ENOENT' })
  })

  // Both documents are written from the same rows: the later writer must see what the earlier one stored.
  test('waits for another picture of the same product', async () => {
    const seen: number[] = []
    const onStored: OnStored = async (tx, companyId) => {
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from pictures where company_id = ${companyId} and state = 'stored'`.execute(tx)
      seen.push(rows[0]!.n)
    }
    const shop = await openShop({ onStored })
    const url = await serveBytes(png)
    const ids = await Promise.all([addPicture(shop, url), addPicture(shop, url), addPicture(shop, url)])
    await Promise.all(ids.map((id) => shop.fetchPicture.run(jobFor(shop, id))))
    assert.deepEqual(seen, [1, 2, 3])
  })
})

describe('deleting the files of a picture', () => {
  test('removes all of them, and those of no other, and may be repeated', async () => {
    const shop = await openShop()
    const url = await serveBytes(png)
    const [gone, kept] = [await fetchOnce(shop, url), await fetchOnce(shop, url)]
    await shop.deleteFiles.run(jobFor(shop, gone.id))
    await shop.deleteFiles.run(jobFor(shop, gone.id))
    await assert.rejects(readdir(folderOf(shop, gone.id)), { code: 'ENOENT' })
    assert.deepEqual(await readdir(folderOf(shop, kept.id)), [kept.file])
  })

  test('waits for a backup that may contain them', async () => {
    const shop = await openShop()
    const { id, file } = await fetchOnce(shop, await serveBytes(png))
    const waiting = () =>
      database
        .db()
        .selectFrom('jobs')
        .select(['kind', 'data', 'due_at'])
        .where('company_id', '=', shop.companyId)
        .where('kind', '=', DELETE_PICTURE_FILES.name)
        .execute()
    const folder = await mkdtemp(join(database.folder(), 'copy-'))
    await copyTables(database.connection(), folder, {
      onTable: () => {},
      meanwhile: () => shop.deleteFiles.run(jobFor(shop, id)),
    })
    assert.deepEqual(await readdir(folderOf(shop, id)), [file])
    const [job] = await waiting()
    assert.deepEqual(job?.data, { id })
    assert.ok(Number(job?.due_at) > Date.now())
    await shop.deleteFiles.run(jobFor(shop, id))
    await assert.rejects(readdir(folderOf(shop, id)), { code: 'ENOENT' })
    assert.equal((await waiting()).length, 1)
  })

  test('refuses a job that names another folder', async () => {
    const shop = await openShop()
    const job = { ...jobFor(shop, 1), data: { id: '../1' } }
    await assert.rejects(shop.deleteFiles.run(job), /is not the key of a file/)
  })
})
