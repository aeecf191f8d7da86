import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { releaseDevice, useEntitlement } from '../commands.ts'
import { keepGroups } from '../memberships/groups.cache.ts'
import { presentDecision } from '../present.ts'
import { decide } from '../rights/rules.ts'
import { askOf, readQuestion } from '../rules.ts'
import { AskInput, Decision, Device } from '../schema.ts'
import { getRights } from './check.queries.ts'
import { recordRefusedCheck } from './commands.ts'

const Ref = Type.Object({ id: PathPart('Id of the entitlement.') })
const config = { access: { scope: ['customers', 'player'] }, priority: 'high' } as const
const tags = ['Entitlements']

/** Players ask whether something is allowed, and do it. */
export const useRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, notices }, done) => {
  const groupFacts = keepGroups(db, notices)

  app.post(
    '/entitlements/:id/check.json',
    {
      config,
      schema: {
        tags,
        operationId: 'checkEntitlement',
        summary: 'Ask whether a customer may do something',
        description: 'Nothing is counted and nothing starts. A refusal is kept for support.',
        params: Ref,
        body: Type.Object({ check: AskInput }),
        response: { 200: Type.Object({ decision: named(Decision) }) },
      },
    },
    async (request) => {
      const asked = readQuestion(request.body.check, tokenCallerOf(request).appId)
      const found = await getRights(db, request.caller, request.params.id, asked.device ?? '', groupFacts)
      const { rights } = found
      const time = now(request.caller.companyId)
      const code = decide(rights, askOf(asked, found.device), time)
      if (code !== 'allowed')
        await app.change((tx) =>
          recordRefusedCheck(tx, {
            company_id: found.company_id,
            entitlement_id: found.id,
            kind: 'check',
            action: asked.action,
            code,
            device_id: asked.device,
            country: asked.country,
            client_time: asked.client_time,
            app_id: asked.appId,
            created_at: time,
          }),
        )
      return { decision: presentDecision(rights, { code, shown: rights, language: found.language }, time) }
    },
  )

  app.post(
    '/entitlements/:id/use.json',
    {
      config,
      schema: {
        tags,
        operationId: 'useEntitlement',
        summary: 'Do something, if the customer may',
        description:
          'Asks and counts at once: of a hundred players that want the last download, one gets it. The first allowed use starts the time that runs from first use. A device that plays or downloads holds the content for 15 minutes, and as long as it sends heartbeats.',
        params: Ref,
        body: Type.Object({ use: AskInput }),
        response: { 200: Type.Object({ decision: named(Decision) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'decision', async (tx) => {
        const { entitlement, document } = await useEntitlement(
          tx,
          request.caller,
          request.params.id,
          readQuestion(request.body.use, tokenCallerOf(request).appId),
          now(request.caller.companyId),
        )
        return { state: entitlement, document }
      }),
  )

  app.post(
    '/entitlements/:id/heartbeat.json',
    {
      config,
      schema: {
        tags,
        operationId: 'sendHeartbeat',
        summary: 'Keep a device playing',
        description:
          'A player sends it every few minutes while it plays. The device holds the content for another 15 minutes. A refusal tells the player to stop.',
        params: Ref,
        body: Type.Object({ heartbeat: Type.Object({ device: Device, client_time: AskInput.properties.client_time }) }),
        response: { 200: Type.Object({ decision: named(Decision) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'decision', async (tx) => {
        const asked = readQuestion({ action: 'play', ...request.body.heartbeat }, tokenCallerOf(request).appId)
        const options = { isRecorded: false }
        const { entitlement, document } = await useEntitlement(
          tx,
          request.caller,
          request.params.id,
          asked,
          now(request.caller.companyId),
          options,
        )
        return { state: entitlement, document }
      }),
  )

  app.post(
    '/entitlements/:id/release.json',
    {
      config,
      schema: {
        tags,
        operationId: 'releaseDevice',
        summary: 'Let a device give the content back',
        description: 'Another device can use it at once.',
        params: Ref,
        body: Type.Object({ release: Type.Object({ device: Device }) }),
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, undefined, (tx) =>
        releaseDevice(
          tx,
          request.caller,
          request.params.id,
          request.body.release.device,
          now(request.caller.companyId),
        ),
      ),
  )

  done()
}
