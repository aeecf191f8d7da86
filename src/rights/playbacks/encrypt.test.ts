import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { through } from './encrypt.files.ts'

test('a reader that goes away ends the sending of a segment, and nothing else', async () => {
  const target = new PassThrough()
  const sending = through(target, (bytes) => bytes)
  const write = (bytes: Buffer) =>
    new Promise<Error | null | undefined>((resolve) => void sending.write(bytes, (error) => resolve(error)))
  assert.equal(await write(Buffer.alloc(10)), null)
  target.destroy()
  assert.match(String(await write(Buffer.alloc(10))), /the reader has gone/)
  // An event that nobody hears is thrown in the next round, and would end the process.
  await new Promise((resolve) => setImmediate(resolve))
})
