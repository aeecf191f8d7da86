import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { hasRadosgw, type Radosgw, startRadosgw } from '#test/radosgw.ts'
import { temporaryFolder } from '#test/start/program.ts'
import { createS3Files, type S3Settings } from './s3-files.ts'

const why = hasRadosgw ? false : 'needs the Debian packages radosgw, ceph-mon and ceph-osd'

describe('files in a bucket', { skip: why }, () => {
  let server: Radosgw | undefined
  let settings: S3Settings

  after(() => server?.stop())

  test('need a bucket', async () => {
    server = await startRadosgw()
    settings = { ...server.settings, bucket: 'licet' }
    const { endpoint, credentials, region } = settings
    assert.ok(endpoint !== undefined && credentials !== undefined)
    const client = new S3Client({ endpoint, credentials, region, forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'licet' }))
    client.destroy()
  })

  test('give back what was put', async () => {
    const files = createS3Files(settings)
    await files.put('pictures/1/a.jpg', Buffer.from('hello'))
    assert.deepEqual(await files.read('pictures/1/a.jpg'), Buffer.from('hello'))
    assert.deepEqual(await files.stat('pictures/1/a.jpg'), { bytes: 5 })
    assert.equal(await files.exists('pictures/1/a.jpg'), true)
    const found = await files.stream('pictures/1/a.jpg')
    assert.equal(found?.bytes, 5)
    assert.equal((await buffer(found!.stream)).toString(), 'hello')
  })

  test('answer undefined for what is absent', async () => {
    const files = createS3Files(settings)
    assert.equal(await files.read('no/such'), undefined)
    assert.equal(await files.stat('no/such'), undefined)
    assert.equal(await files.open('no/such', { start: 0, end: 9 }), undefined)
    assert.equal(await files.exists('no/such'), false)
    await files.delete('no/such')
  })

  test('are stored in parts from the disk, and sent in parts', async () => {
    const files = createS3Files(settings)
    const bytes = randomBytes(20_000_000)
    const path = join(await temporaryFolder(), 'large')
    await writeFile(path, bytes)
    await files.putFile('content/large', path)
    await files.putFile('content/large', path)
    assert.deepEqual(await files.stat('content/large'), { bytes: bytes.length })
    for (const [start, end] of [
      [0, bytes.length - 1],
      [8_388_600, 8_388_620],
      [bytes.length - 1, bytes.length - 1],
    ] as const) {
      const opened = await files.open('content/large', { start, end })
      const target = new PassThrough()
      const received = buffer(target)
      await opened?.sendTo(target)
      target.end()
      assert.ok((await received).equals(bytes.subarray(start, end + 1)))
      await opened?.close()
    }
    await files.delete('content/large')
    assert.equal(await files.exists('content/large'), false)
  })

  test('are removed by folder', async () => {
    const files = createS3Files(settings)
    for (const key of ['p/1/a', 'p/1/deep/b', 'p/10/a']) await files.put(key, Buffer.from('x'))
    await files.deleteAll('p/1')
    assert.deepEqual(await Promise.all(['p/1/a', 'p/1/deep/b', 'p/10/a'].map((key) => files.exists(key))), [
      false,
      false,
      true,
    ])
  })

  test('are closed to a wrong secret', async () => {
    const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'wrong' }
    const files = createS3Files({ ...settings, credentials })
    await assert.rejects(files.put('a', Buffer.from('x')), { name: 'SignatureDoesNotMatch' })
  })
})
