import { answerRequests } from '#platform/processes/limited-process.ts'
import type { PackingFault } from './faults.facts.ts'
import { type PackedAnswer, type PartRequest, packPart } from './part.process.ts'
import { Unpackable } from './tracks.process.ts'

export type PartAnswer = PackedAnswer | { kind: 'refused'; fault: PackingFault; codec: string | null }

async function answer(request: PartRequest): Promise<PartAnswer> {
  try {
    return await packPart(request)
  } catch (error) {
    if (error instanceof Unpackable) return { kind: 'refused', fault: error.fault, codec: error.codec }
    if (isFull(error)) throw error
    // The library says of a broken file what it did not expect.
    return { kind: 'refused', fault: 'damaged', codec: null }
  }
}

/** A disk that is full, or a folder that is gone, says nothing of the film. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^E[A-Z]{2,}$/.test(String(error.code))
}

answerRequests(answer)
