import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { createFiles } from './files.ts'

const folder = await mkdtemp(join(tmpdir(), 'licet-files-'))
const files = createFiles(folder)

after(() => rm(folder, { recursive: true, force: true }))

describe('files', () => {
  test('give back what was put, as bytes and as a stream', async () => {
    await files.put('a/b/hello.txt', Buffer.from('hello'))
    assert.deepEqual(await files.read('a/b/hello.txt'), Buffer.from('hello'))
    assert.deepEqual(await files.stat('a/b/hello.txt'), { bytes: 5 })
    assert.equal(await files.exists('a/b/hello.txt'), true)
    const found = await files.stream('a/b/hello.txt')
    assert.equal(found?.bytes, 5)
    assert.equal((await buffer(found!.stream)).toString(), 'hello')
  })

  test('answer undefined for what is absent', async () => {
    assert.equal(await files.read('no/such'), undefined)
    assert.equal(await files.stat('no/such'), undefined)
    assert.equal(await files.stream('no/such'), undefined)
    assert.equal(await files.exists('no/such'), false)
  })

  // A reader who meets a write under way must see the old content or the new, and never a part.
  test('are never seen half-written', async () => {
    const contents = [Buffer.alloc(4_000_000, 'a'), Buffer.alloc(3_000_000, 'b')]
    await files.put('race/file', contents[0]!)
    let writing = true
    const writes = (async () => {
      for (let round = 0; round < 30; round += 1) await files.put('race/file', contents[round % 2]!)
      writing = false
    })()
    let reads = 0
    while (writing) {
      const seen = await files.read('race/file')
      assert.ok(contents.some((content) => seen?.equals(content)))
      reads += 1
    }
    await writes
    assert.ok(reads > 0)
    assert.deepEqual(await readdir(join(folder, 'race')), ['file'])
  })

  test('leave nothing behind when a write fails', async () => {
    await files.put('taken/inside/file', Buffer.from('x'))
    await assert.rejects(files.put('taken/inside', Buffer.from('a folder is in the way')))
    assert.deepEqual(await readdir(join(folder, 'taken')), ['inside'])
  })

  test('deleteAll removes a folder and nothing beside it, and may be repeated', async () => {
    await files.put('p/1/a', Buffer.from('x'))
    await files.put('p/1/deep/b', Buffer.from('x'))
    await files.put('p/10/a', Buffer.from('x'))
    await files.deleteAll('p/1')
    await files.deleteAll('p/1')
    assert.deepEqual(await readdir(join(folder, 'p')), ['10'])
  })

  test('take a file from the disk, and send parts of it', async () => {
    const bytes = randomBytes(3_000_000)
    await writeFile(join(folder, 'upload'), bytes)
    await files.putFile('content/large', join(folder, 'upload'))
    await files.putFile('content/large', join(folder, 'upload'))
    await rm(join(folder, 'upload'))
    for (const [start, end] of [
      [0, bytes.length - 1],
      [1_048_570, 1_048_580],
    ] as const) {
      const opened = await files.open('content/large', { start, end })
      const received: Buffer[] = []
      const target = new Writable({
        write(chunk, _encoding, done) {
          received.push(Buffer.from(chunk))
          setImmediate(done)
        },
      })
      await opened?.sendTo(target)
      assert.ok(Buffer.concat(received).equals(bytes.subarray(start, end + 1)))
      await opened?.close()
    }
    assert.equal(await files.open('content/other', { start: 0, end: 1 }), undefined)
    await files.delete('content/large')
    await files.delete('content/large')
    assert.equal(await files.exists('content/large'), false)
  })

  // A reader that stops in the middle must not keep a file open for ever.
  test('stop sending when the reader goes away', async () => {
    await files.put('content/other', randomBytes(3_000_000))
    const opened = await files.open('content/other', { start: 0, end: 2_999_999 })
    const target = new PassThrough()
    target.once('data', () => target.destroy())
    await assert.rejects(async () => opened?.sendTo(target), { code: /PREMATURE_CLOSE|DESTROYED/ })
    await opened?.close()
  })

  for (const key of [
    '',
    '.',
    '..',
    '../out',
    'a/../../out',
    '/etc/passwd',
    'a//b',
    'a/',
    'a/.hidden',
    'a\\b',
    'a\0b',
    'ä',
  ]) {
    test(`${JSON.stringify(key)} is not a key`, async () => {
      await assert.rejects(async () => files.put(key, Buffer.from('x')), /not the key of a file/)
      await assert.rejects(async () => files.read(key), /not the key of a file/)
      await assert.rejects(async () => files.exists(key), /not the key of a file/)
      await assert.rejects(async () => files.deleteAll(key), /not the key of a file/)
    })
  }
})
