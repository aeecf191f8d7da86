import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { createS3Files } from '#platform/files/s3-files.ts'
import { anEpub } from '#test/books.ts'
import { type Service, useService } from '#test/harness.ts'
import { aFilm } from '#test/media.ts'
import { hasRadosgw, type Radosgw, startRadosgw } from '#test/radosgw.ts'
import { fetchBytes, fetchJson, openLicense, unzip } from '#test/reading-app.ts'
import { aProtectedBook, aReadingLicense, passphraseOf } from '#test/reading-licenses.ts'
import { beside, decrypt, streaming } from '#test/streaming.ts'

const why = hasRadosgw ? false : 'needs the Debian packages radosgw, ceph-mon and ceph-osd'

/** A bucket of a real server. The service gets it when it starts. */
let server: Radosgw | undefined

async function openBucket() {
  server = await startRadosgw()
  const settings = { ...server.settings, bucket: 'licet' }
  const { endpoint, credentials, region } = settings
  assert.ok(endpoint !== undefined && credentials !== undefined)
  const client = new S3Client({ endpoint, credentials, region, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'licet' }))
  client.destroy()
  return createS3Files(settings)
}

describe('what is protected, in a bucket', { skip: why }, () => {
  const service: Service = useService({ files: () => openBucket() })
  const { aSale, enter, play, listOf, fetchBytes: fetchPart, askKey } = streaming(service)
  after(() => server?.stop())

  test('a film is packed there, and its segments open with the keys of the engine', async () => {
    const film = await aFilm()
    const sale = await aSale({}, film)
    const [{ key = '' } = {}] = await service.db.selectFrom('packed_parts').selectAll().execute().then(keysOf)
    assert.ok(await service.files.exists(key), 'a track is in the bucket')
    assert.equal(service.files.localPath, undefined)
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const segments = await listOf(visitor, url)
    assert.ok(segments.length > 3)
    for (const { uri, key: name, iv } of segments) {
      const { bytes, headers } = await fetchPart(visitor, beside(url, uri))
      assert.equal(headers.get('content-length'), String(bytes.length))
      const { bytes: opened } = await askKey(visitor, url, name)
      assert.equal(decrypt(bytes, opened, iv).toString('latin1', 4, 8), 'moof')
    }
  })

  test('a book is encrypted there, and opens in a reading app', async () => {
    const { shop, id, customer } = await aProtectedBook(service)
    const license = await aReadingLicense(service, shop, id)
    const { body: document } = await fetchJson(license.license_url)
    await openLicense(document, await passphraseOf(shop, customer))
    const whole = await fetchBytes(license.download_url)
    assert.equal(whole.status, 200)
    const files = await unzip(whole.bytes)
    assert.ok(!files.get('c1.xhtml')?.includes('Paragraph'))
    assert.deepEqual(files.get('book.opf'), (await unzip(anEpub())).get('book.opf'))
    const half = Math.floor(whole.bytes.length / 2)
    const [first, rest] = [
      await fetchBytes(license.download_url, { range: `bytes=0-${half - 1}` }),
      await fetchBytes(license.download_url, { range: `bytes=${half}-` }),
    ]
    assert.deepEqual([first.status, rest.status], [206, 206])
    assert.ok(Buffer.concat([first.bytes, rest.bytes]).equals(whole.bytes))
  })
})

/** Where the tracks of packed parts are. */
function keysOf(rows: { tracks: unknown }[]): { key: string }[] {
  return rows.flatMap(({ tracks }) => tracks as { key: string }[])
}
