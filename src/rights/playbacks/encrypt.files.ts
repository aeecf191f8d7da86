import { Writable } from 'node:stream'
import { closedEarly, type Files } from '#platform/files/files.ts'
import { giveBack } from '#platform/files/memory.ts'
import type { TimedSegment } from './state.ts'

/** A segment that is ready to be sent, encrypted with a key. Close it, whether or not it was sent. */
export type OpenedSegment = { sendTo(target: Writable): Promise<void>; close(): Promise<void> }

/** Encrypts the bytes of one segment, in their order. */
export type SegmentCipher = { update(bytes: Buffer): Buffer; final(): Buffer }

/** Opens a segment. Its bytes are encrypted on their way out, so that nothing has to be stored for a buyer. */
export async function openSegment(
  files: Files,
  { key, at, bytes }: TimedSegment,
  createCipher: () => SegmentCipher,
): Promise<OpenedSegment> {
  const opened = await files.open(key, { start: at, end: at + bytes - 1 })
  if (opened === undefined) throw new Error(`the packed file ${key} is missing`)
  return {
    async sendTo(target) {
      const cipher = createCipher()
      await opened.sendTo(through(target, (clear) => cipher.update(clear)))
      target.end(cipher.final())
    },
    close: opened.close,
  }
}

/**
 * Sends changed bytes to a target, as fast as it takes them. Their memory is given back once the target has called back, so a target
 * that keeps bytes for longer has to copy them. It is closed with its target: a connection that is cut off never
 * calls back for the bytes that it was given, and who waits for that would wait for ever, with its file open.
 */
export function through(target: Writable, change: (bytes: Buffer) => Buffer): Writable {
  const made = new Writable({
    write(bytes: Buffer, _encoding, done) {
      try {
        const changed = change(bytes)
        if (changed.length === 0) done()
        else
          target.write(changed, (error) => {
            if (!error && changed.buffer !== bytes.buffer) giveBack(changed)
            done(error)
          })
      } catch (error) {
        // Thrown from here it would end the process, because a stream has called.
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  // Who writes hears of the same error. As an event that nobody hears it would end the process.
  made.on('error', () => {})
  const close = () => void made.destroy(closedEarly())
  if (target.destroyed) close()
  else target.once('close', close)
  return made
}
