import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createLimitedProcesses, ProcessEnded } from '#platform/processes/limited-process.ts'
import type { ZipDirectory } from '#platform/zip/writer.ts'
import type { EncryptAnswer, EncryptRequest } from './encryptor.process.ts'
import { TOO_MANY_PARTS, TOO_MUCH_MEMORY, TOO_SLOW, tooLarge } from './refusals.facts.ts'
import type { PublicationKind } from './state.ts'

/**
 * Files come from outside, so each publication is encrypted in a process that does nothing else meanwhile. Nothing is unpacked
 * and nothing is kept in memory, so the limits are low.
 */
const encryptor = createLimitedProcesses<EncryptRequest, EncryptAnswer>(2, {
  script: join(import.meta.dirname, 'encryptor.process.ts'),
  memoryMb: 1024,
  timeoutMs: 300_000,
  idleMs: 10_000,
})

/** An archive without zip64 ends before 4 GiB. */
const BYTES_MAX: Record<PublicationKind, number> = {
  epub: 1024 * 1_048_576,
  pdf: 2048 * 1_048_576,
  audiobook: 3584 * 1_048_576,
}
const PARTS_MAX = 2000

export type EncryptResult =
  | { kind: 'encrypted'; bytes: number; directory: ZipDirectory }
  /** `isFinal`: trying again would refuse it again. */
  | { kind: 'refused'; reason: string; isFinal: boolean }

/** Encrypts local files. If they are refused, the target may exist in part. */
export async function encryptFiles(request: EncryptRequest): Promise<EncryptResult> {
  const bytesMax = BYTES_MAX[request.kind]
  if (request.parts.length > PARTS_MAX) return refused(TOO_MANY_PARTS, true)
  const sizes = await Promise.all(request.parts.map(async ({ path }) => (await stat(path)).size))
  if (sizes.reduce((sum, size) => sum + size, 0) > bytesMax) return refused(tooLarge(bytesMax), true)
  try {
    const answer = await encryptor.ask(async () => request)
    if (answer.kind === 'refused') return refused(answer.reason, true)
    return { kind: 'encrypted', bytes: (await stat(request.target)).size, directory: answer.directory }
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error
    return refused(error.timedOut ? TOO_SLOW : TOO_MUCH_MEMORY, false)
  }
}

function refused(reason: string, isFinal: boolean): EncryptResult {
  return { kind: 'refused', reason, isFinal }
}
