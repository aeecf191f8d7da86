import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import { createFiles } from '#platform/files/files.ts'
import { PATIENCE_MS } from '#test/patience.ts'
import { openSegment, through } from './encrypt.files.ts'

const folder = await mkdtemp(join(tmpdir(), 'licet-segments-'))
after(() => rm(folder, { recursive: true, force: true }))

const BYTES = 6_000_000
const clear = randomBytes(BYTES)
await writeFile(join(folder, 'film'), clear)
const [key, iv] = [randomBytes(16), randomBytes(16)]
const segment = { key: 'film', at: 0, bytes: BYTES, seconds: 4, start: 0 }

describe('the sending of a segment', () => {
  test('ends when its reader goes away, and nothing else does', { timeout: PATIENCE_MS }, async () => {
    const files = createFiles(folder)
    const sent: Promise<'sent' | 'gone'>[] = []
    async function send(target: PassThrough | ServerResponse): Promise<'sent' | 'gone'> {
      const opened = await openSegment(files, segment, () => createCipheriv('aes-128-cbc', key, iv))
      try {
        await opened.sendTo(target)
        return 'sent'
      } catch {
        return 'gone'
      } finally {
        await opened.close()
      }
    }
    const server = createServer((_request, response) => void sent.push(send(response)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const CLIENTS = 150
    // Each goes away at another moment, some in the middle of a write and some between two.
    const abort = (_: unknown, index: number) =>
      new Promise<void>((resolve) => {
        let left = index * 37_000
        const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
        socket.on('data', ({ length }) => {
          left -= length
          if (left <= 0) socket.destroy()
        })
        socket.once('close', () => resolve())
      })
    await Promise.all(Array.from({ length: CLIENTS }, abort))
    const answers = await Promise.all(sent)
    assert.equal(answers.length, CLIENTS)
    assert.ok(answers.includes('gone'))
    const target = new PassThrough()
    const received: Buffer[] = []
    target.on('data', (bytes: Buffer) => received.push(Buffer.from(bytes)))
    assert.equal(await send(target), 'sent')
    const decipher = createDecipheriv('aes-128-cbc', key, iv)
    assert.ok(Buffer.concat([decipher.update(Buffer.concat(received)), decipher.final()]).equals(clear))
    server.close()
  })

  test('from the disk ends while its reader takes nothing', { timeout: PATIENCE_MS }, async () => {
    const target = new PassThrough({ highWaterMark: 1 })
    const opened = await openSegment(createFiles(folder), segment, () => createCipheriv('aes-128-cbc', key, iv))
    const sending = opened.sendTo(target)
    target.once('readable', () => target.destroy())
    await assert.rejects(sending, /the reader has gone/)
    await opened.close()
  })

  // Object stores are read as streams.
  for (const isClosedBefore of [true, false])
    test(`from a stream ends too, closed ${isClosedBefore ? 'before' : 'meanwhile'}`, {
      timeout: PATIENCE_MS,
    }, async () => {
      const [source, target] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })]
      if (isClosedBefore) target.destroy()
      const sending = pipeline(
        source,
        through(target, (bytes) => bytes),
        { end: false },
      )
      source.write(Buffer.alloc(100_000))
      target.destroy()
      await assert.rejects(sending)
    })
})
