import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { pause } from '#platform/pause.ts'
import { named } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { askToMove } from './commands.ts'
import { presentTestClock } from './present.ts'
import { getTestClock } from './queries.ts'
import { type Readers, readReport } from './report.queries.ts'
import { MoveInput, TestClock } from './schema.ts'

const config = { access: { scope: 'companies', permissions: ['create_users'] } } as const
const tags = ['Sandboxes']
/** It is not the path that is unknown, but the clock: OpenAPI cannot tell from it. */
const missing = Type.Unsafe<unknown>({ $ref: 'Error#' })
const One = Type.Object({ test_clock: named(TestClock) })

/** Clients and proxies wait for half a minute. A move that takes longer goes on without them. */
const WAIT_MS = 25_000
const LOOK_MS = 25

export const testClockRoutes =
  (readers: Readers): FastifyPluginCallbackTypebox<ResourceOptions> =>
  (app, { db, clock }, done) => {
    async function shown(companyId: number): Promise<TestClock> {
      const found = await getTestClock(db, companyId)
      return presentTestClock(found, await readReport(db, readers, found), nowInSeconds(clock))
    }

    async function untilMoved(companyId: number): Promise<void> {
      const end = performance.now() + WAIT_MS
      while (performance.now() < end && (await getTestClock(db, companyId)).moves_to !== null)
        await pause(LOOK_MS, AbortSignal.timeout(WAIT_MS))
    }

    app.get(
      '/test_clock.json',
      {
        config,
        schema: {
          tags,
          operationId: 'getTestClock',
          summary: 'Read the clock of a sandbox',
          description:
            'What time it is in the sandbox, and what the last move of its clock did. A company that is no sandbox has no such clock: 404.',
          response: { 200: One, 404: missing },
        },
      },
      async ({ caller }) => ({ test_clock: await shown(caller.companyId) }),
    )

    app.post(
      '/test_clock.json',
      {
        config,
        schema: {
          tags,
          operationId: 'moveTestClock',
          summary: 'Move the clock of a sandbox',
          description:
            'Forward only, and by 2 years at most. The clock stops at every time at which something is due, which is done before it goes on: subscriptions are renewed, rentals end, mails are written, and what failed is tried again. The answer says what happened. A move that takes longer than 25 seconds goes on after the answer, whose `status` is `moving`; meanwhile another one is refused with 409.',
          body: MoveInput,
          response: { 200: One, 404: missing },
        },
      },
      async (request, reply) => {
        const { companyId } = request.caller
        const { test_clock, ...bare } = request.body
        return app.write(
          request,
          reply,
          'test_clock',
          async (tx) => {
            const machine = nowInSeconds(clock)
            const state = await askToMove(tx, authorOf(request), test_clock ?? bare, machine)
            return { state, document: asciiJson(presentTestClock(state, undefined, machine)) }
          },
          async () => {
            await untilMoved(companyId)
            return asciiJson(await shown(companyId))
          },
        )
      },
    )

    done()
  }
