import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named } from '#platform/wire/schema.ts'
import { requirePassword } from '../account/guard.ts'
import { requireSession } from '../commands.ts'
import { codeWrong, secondFactorOff, secondFactorOn } from '../errors.ts'
import { findOwnEmail } from '../queries.ts'
import { confirmSecondFactor, prepareSecondFactor, removeSecondFactor, renewRecoveryCodes } from './commands.ts'
import { countRecoveryCodes, hasSecondFactor } from './queries.ts'
import { CodeInput, RecoveryCodes, SecondFactor, SecondFactorSecret, WithPassword } from './schema.ts'
import { qrCode } from './totp.secrets.ts'

const config = { access: { own: true } } as const
const tags = ['Account']
const Codes = Type.Object({ recovery_codes: RecoveryCodes })

/** Nothing keeps an answer that contains a secret. */
const unkept = (reply: FastifyReply) => reply.header('cache-control', 'private, no-store')

/** The second factor of the signed-in user. Whoever changes it types the password again. */
export const secondFactorRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock, vault }, done) => {
  const limiting = { db, change: app.change, clock }

  app.get(
    '/second_factor.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getSecondFactor',
        summary: 'Read whether two-step sign-in is on',
        response: { 200: Type.Object({ second_factor: named(SecondFactor) }) },
      },
    },
    async ({ session }) => {
      const [enabled, recovery_codes] = await Promise.all([
        hasSecondFactor(db, session),
        countRecoveryCodes(db, session),
      ])
      return { second_factor: { enabled, recovery_codes } }
    },
  )

  app.post(
    '/second_factor.json',
    {
      config,
      schema: {
        tags,
        operationId: 'prepareSecondFactor',
        summary: 'Prepare two-step sign-in',
        description: 'Makes a secret for an authenticator app. It is on once a code of the app has confirmed it.',
        body: Type.Object({ second_factor: WithPassword }),
        response: { 201: Type.Object({ second_factor: named(SecondFactorSecret) }) },
      },
    },
    async ({ session, body }, reply) => {
      await requirePassword(limiting, session, body.second_factor.current_password)
      const secret = await app.change((tx) =>
        requireSession(tx, session, () => prepareSecondFactor(tx, session, vault)),
      )
      if (secret === undefined) throw secondFactorOn()
      const qr_code = qrCode(secret, await findOwnEmail(db, session))
      return unkept(reply).code(201).send({ second_factor: { secret, qr_code } })
    },
  )

  app.post(
    '/second_factor/turn_on.json',
    {
      config,
      schema: {
        tags,
        operationId: 'turnOnSecondFactor',
        summary: 'Turn two-step sign-in on',
        body: Type.Object({ second_factor: CodeInput }),
        response: { 200: Codes },
      },
    },
    async (request, reply) => {
      const { session, body } = request
      const digits = body.second_factor.code.replace(/\s/g, '')
      const codes = await app.change((tx) =>
        requireSession(tx, session, () =>
          confirmSecondFactor(tx, session, digits, vault, originOf(request), nowInSeconds(clock)),
        ),
      )
      if (codes === undefined) throw secondFactorOff()
      if (codes === 'wrong') throw validationFailed('code', codeWrong())
      return unkept(reply).send({ recovery_codes: codes })
    },
  )

  app.post(
    '/second_factor/recovery_codes.json',
    {
      config,
      schema: {
        tags,
        operationId: 'renewRecoveryCodes',
        summary: 'Make new recovery codes',
        description: 'Those from before end.',
        body: Type.Object({ second_factor: WithPassword }),
        response: { 201: Codes },
      },
    },
    async (request, reply) => {
      const { session, body } = request
      await requirePassword(limiting, session, body.second_factor.current_password)
      const codes = await app.change((tx) =>
        requireSession(tx, session, () => renewRecoveryCodes(tx, session, originOf(request), nowInSeconds(clock))),
      )
      if (codes === undefined) throw secondFactorOff()
      return unkept(reply).code(201).send({ recovery_codes: codes })
    },
  )

  app.post(
    '/second_factor/turn_off.json',
    {
      config,
      schema: {
        tags,
        operationId: 'turnOffSecondFactor',
        summary: 'Turn two-step sign-in off',
        body: Type.Object({ second_factor: WithPassword }),
        response: { 200: named(Empty) },
      },
    },
    async (request) => {
      const { session, body } = request
      await requirePassword(limiting, session, body.second_factor.current_password)
      await app.change((tx) =>
        requireSession(tx, session, () => removeSecondFactor(tx, session, originOf(request), nowInSeconds(clock))),
      )
      return {}
    },
  )

  done()
}
