import { createCipheriv } from 'node:crypto'
import { Writable } from 'node:stream'
import { closedEarly, type Files } from '#platform/files/files.ts'
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
 * Sends changed bytes to a target, as fast as it takes them. It is closed with its target: a connection that is cut off never
 * calls back for the bytes that it was given, and who waits for that would wait for ever, with its file open.
 */
export function through(target: Writable, change: (bytes: Buffer) => Buffer): Writable {
  const made = new Writable({ write: (bytes: Buffer, _encoding, done) => void target.write(change(bytes), done) })
  // Who writes hears of the same error. As an event that nobody hears it would end the process.
  made.on('error', () => {})
  const close = () => void made.destroy(closedEarly())
  if (target.destroyed) close()
  else target.once('close', close)
  return made
}
