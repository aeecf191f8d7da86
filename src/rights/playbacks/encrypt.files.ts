import { createCipheriv } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Files } from '#platform/files/files.ts'
import type { TimedSegment } from './state.ts'

/** A segment that is ready to be sent, encrypted with a key. Close it, whether or not it was sent. */
export type OpenedSegment = { sendTo(target: Writable): Promise<void>; close(): Promise<void> }

/** Opens a segment. Its bytes are encrypted on their way out, so that nothing has to be stored for a buyer. */
export async function openSegment(
  files: Files,
  { key: stored, at, bytes }: TimedSegment,
  key: Buffer,
  iv: Buffer,
): Promise<OpenedSegment> {
  const opened = await files.open(stored, { start: at, end: at + bytes - 1 })
  if (opened === undefined) throw new Error(`the packed file ${stored} is missing`)
  return {
    async sendTo(target) {
      const cipher = createCipheriv('aes-128-cbc', key, iv)
      await opened.sendTo(through(target, (clear) => cipher.update(clear)))
      target.end(cipher.final())
    },
    close: opened.close,
  }
}

/**
 * Sends changed bytes to a target, as fast as it takes them. A reader that has gone ends the sending, whose caller hears of it.
 */
export function through(target: Writable, change: (bytes: Buffer) => Buffer): Writable {
  const made = new Writable({ write: (bytes: Buffer, _encoding, done) => pass(target, change(bytes), done) })
  // Who writes gets the same error from the write. As an event that nobody hears it would end the process.
  return made.on('error', () => {})
}

/** Goes on when the target has taken what came before. One that is closed takes no more. */
function pass(target: Writable, bytes: Buffer, done: (error?: Error | null) => void): void {
  if (target.destroyed) done(Object.assign(new Error('the reader has gone'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }))
  else target.write(bytes, done)
}
