import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { serviceBusy } from '../../errors/errors.ts'
import { createSemaphore, type Semaphore } from '../../processes/semaphore.ts'
import { allowSlowBody, holdBody } from './slow-bodies.ts'

export type BodyTurnLimits = { ofCompany: number; ofAll: number; waitingMax: number; bodyMs: number }

/**
 * Lets only a few large bodies be in memory at once: the others are not read before it is their turn. A company has a part of
 * the places, so that slow uploads of one do not hold up another. For `preParsing`, after the caller is known.
 */
export function createBodyTurns({ ofCompany, ofAll, waitingMax, bodyMs }: BodyTurnLimits) {
  const all = createSemaphore(ofAll)
  const companies = new Map<number, { semaphore: Semaphore; users: number }>()

  /** Runs a task in its turn. What is known of a company is forgotten when nothing of it is under way. */
  async function inTurn(companyId: number, task: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const company = companies.get(companyId) ?? { semaphore: createSemaphore(ofCompany, waitingMax), users: 0 }
    companies.set(companyId, company)
    company.users += 1
    try {
      await company.semaphore(() => all(task, signal), signal)
    } finally {
      company.users -= 1
      if (company.users === 0) companies.delete(companyId)
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply, body: NodeJS.ReadableStream) => {
    holdBody(request.raw)
    const { closed, signal } = endOf(reply.raw)
    await new Promise<void>((begin, refuse) => {
      const task = () => {
        begin()
        return closed
      }
      // Whoever has left gets no answer, and is no defect.
      inTurn(request.caller.companyId, task, signal).catch((error) => refuse(signal.aborted ? serviceBusy() : error))
    })
    allowSlowBody(request.raw, { bodyMs })
    return body
  }
}

/** The end of a request: it is answered, or nobody waits for the answer any more. */
function endOf(response: ServerResponse): { closed: Promise<void>; signal: AbortSignal } {
  const ended = new AbortController()
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      ended.abort()
      resolve()
    }
    if (response.closed) end()
    else response.once('close', end)
  })
  return { closed, signal: ended.signal }
}
