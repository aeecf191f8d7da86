import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { giveBack } from '#platform/files/memory.ts'

/** Bytes that wait for the disk: enough for large writes, few enough for many uploads at once. */
const WAITING_BYTES_MAX = 2_097_152

export type Receiving = {
  request: IncomingMessage
  file: FileHandle
  /** Where in the file the body begins. */
  start: number
  /** The most that the body may have. */
  bytesMax: number
  /** Ends the writing with what has come so far. */
  signal: AbortSignal
  /** Gets every byte that is written. */
  hash: Hash | undefined
}

export type Received = {
  /** Where in the file the bytes end that were written. */
  end: number
  /** Was the body longer than it may be? What fits was written. */
  isTooLong: boolean
}

/**
 * Writes the body of a request into a file. What arrives while the disk is busy is written together, and hashed meanwhile. Then its
 * memory is given back. It resolves with what was written, also if the connection broke: the client goes on from there.
 */
export async function receiveBody({ request, file, start, bytesMax, signal, hash }: Receiving): Promise<Received> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let accepted = 0
  let position = start
  let isTooLong = false
  let isWriting = false
  let writing = Promise.resolve()
  let failure: { error: unknown } | undefined

  async function writeWaiting(): Promise<void> {
    isWriting = true
    try {
      while (waiting.length > 0) {
        const [chunks, bytes] = [waiting, waitingBytes]
        waiting = []
        waitingBytes = 0
        request.resume()
        const written = writeFully(file, chunks, bytes, position)
        // The chunks are hashed while they are written.
        for (const chunk of chunks) hash?.update(chunk)
        await written
        position += bytes
        for (const chunk of chunks) giveBack(chunk)
      }
    } catch (error) {
      failure = { error }
      end()
    } finally {
      isWriting = false
    }
  }

  function take(chunk: Buffer): void {
    // Several chunks may come at once, and none may follow one that was left out.
    if (isTooLong || failure !== undefined) return
    isTooLong = accepted + chunk.length > bytesMax
    if (isTooLong) {
      end()
      return
    }
    accepted += chunk.length
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes >= WAITING_BYTES_MAX) request.pause()
    if (!isWriting) writing = writeWaiting()
  }

  const enders = ['end', 'error', 'close'] as const
  request.on('data', take)
  for (const name of enders) request.once(name, end)
  signal.addEventListener('abort', () => end(), { once: true })
  if (signal.aborted || request.readableEnded || request.destroyed) end()
  await ended
  request.off('data', take)
  for (const name of enders) request.off(name, end)
  request.pause()
  await writing
  if (failure !== undefined) throw failure.error
  return { end: position, isTooLong }
}

/** A write may end early, for example where the disk is nearly full; the next one then says why. */
async function writeFully(file: FileHandle, chunks: Buffer[], bytes: number, position: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, position)
  for (let done = bytesWritten; done < bytes; ) {
    const rest = Buffer.concat(chunks).subarray(done)
    done += (await file.write(rest, 0, rest.length, position + done)).bytesWritten
  }
}
