import type { FastifyReply, FastifyRequest } from 'fastify'
import { serviceBusy } from '../../errors/errors.ts'

/** Answers with less in memory are not counted: connections are limited, too. */
const COUNTED_BYTES = 1_000_000
/** How much of large answers may wait for the clients of one company to read it. */
const COMPANY_BYTES = 64_000_000

/** What large answers of each company hold in the memory of this process. */
const held = new Map<number, number>()

function hold(companyId: number, bytes: number): void {
  const all = (held.get(companyId) ?? 0) + bytes
  if (all === 0) held.delete(companyId)
  else held.set(companyId, all)
}

/** Says how much of an answer is in memory now, instead of what was said before. Throws if that is too much. */
export type Holding = (bytes: number) => void

/**
 * Limits what the lists of one company hold in memory: its documents may be large, and its clients may read slowly or not at all.
 * One answer of any size is always possible; others are refused while that would be too much. It is let go of with the answer.
 */
export function createHolding(request: FastifyRequest, { raw }: FastifyReply): Holding {
  let own = 0
  let isWatched = false
  return (bytes) => {
    const counted = bytes < COUNTED_BYTES ? 0 : bytes
    if (counted === own || raw.closed) return
    const { companyId } = request.caller
    const become = (bytes: number) => {
      hold(companyId, bytes - own)
      own = bytes
    }
    const others = (held.get(companyId) ?? 0) - own
    if (others > 0 && counted > 0 && others + counted > COMPANY_BYTES) throw serviceBusy()
    if (!isWatched) raw.once('close', () => become(0))
    isWatched = true
    become(counted)
  }
}
