import { join } from 'node:path'
import { createLimitedProcesses, ProcessEnded } from '#platform/processes/limited-process.ts'
import type { CheckRequest } from './checker.process.ts'
import { checkedFormatOf } from './rules.ts'
import { type Checked, NOT_CHECKED } from './state.ts'

/**
 * Files come from outside, and few of their bytes can take much memory and time. So each is read in a process that does nothing
 * else meanwhile. There are two, so that the file of one company delays no other company.
 */
const checker = createLimitedProcesses<CheckRequest, Checked>(2, {
  script: join(import.meta.dirname, 'checker.process.ts'),
  memoryMb: 1536,
  timeoutMs: 20_000,
  idleMs: 10_000,
})

/** Reads from a local file how long it is, and whether it can be played or read. */
export async function checkFile(path: string, contentType: string): Promise<Checked> {
  const format = checkedFormatOf(contentType)
  if (format === undefined) return NOT_CHECKED
  const ask = () => checker.ask(async () => ({ format, path, contentType }))
  try {
    // Something else may have ended the process, so the file is tried once more.
    return await ask().catch((error: unknown) => {
      if (error instanceof ProcessEnded && !error.timedOut) return ask()
      throw error
    })
  } catch (error) {
    if (error instanceof ProcessEnded) return { ...NOT_CHECKED, fault: 'too_complex' }
    throw error
  }
}
