import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createLimitedProcesses, ProcessEnded } from '#platform/processes/limited-process.ts'
import { TOO_MUCH_MEMORY, TOO_SLOW, tooLarge } from './refusals.facts.ts'
import { type StampableFormat, sniffFormat } from './rules.ts'
import type { StampAnswer, StampRequest } from './stamper.process.ts'

/**
 * Files come from outside, and few of their bytes can take much memory and time. So each is stamped in a process that does
 * nothing else meanwhile. A PDF takes about six times its size. There are two, so that the file of one company delays no other
 * company.
 */
const stamper = createLimitedProcesses<StampRequest, StampAnswer>(2, {
  script: join(import.meta.dirname, 'stamper.process.ts'),
  memoryMb: 2048,
  timeoutMs: 100_000,
  idleMs: 10_000,
})

const BYTES_MAX: Record<StampableFormat, number> = { pdf: 128 * 1_048_576, epub: 1024 * 1_048_576 }

const HEAD_BYTES = 1024

export type Stamped =
  | { kind: 'stamped'; bytes: number }
  /** `isFinal`: trying again would refuse it again. */
  | { kind: 'refused'; reason: string; isFinal: boolean }

/** The format of a local file that can be stamped, by its first bytes and its name; undefined for all other files. */
export async function formatOf(path: string, name: string): Promise<StampableFormat | undefined> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return sniffFormat(buffer.toString('latin1', 0, bytesRead), name)
}

/** Writes a copy of a local file with a stamp. If it is refused, the target may exist in part. */
export async function stampFile(request: StampRequest): Promise<Stamped> {
  const bytesMax = BYTES_MAX[request.format]
  if ((await stat(request.source)).size > bytesMax) return refused(tooLarge(bytesMax), true)
  try {
    const answer = await stamper.ask(async () => request)
    if (answer.kind === 'refused') return refused(answer.reason, true)
    return { kind: 'stamped', bytes: (await stat(request.target)).size }
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error
    // Something else may have ended the process, so the file is tried once more.
    return refused(error.timedOut ? TOO_SLOW : TOO_MUCH_MEMORY, false)
  }
}

function refused(reason: string, isFinal: boolean): Stamped {
  return { kind: 'refused', reason, isFinal }
}
