import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { hashPassword } from '#platform/crypto.ts'
import { formOf } from '#platform/http/forms.ts'
import { originOf } from '#platform/http/origin.ts'
import type { PageResourceOptions } from '#platform/http/resource.ts'
import { changePassword, signOutEverywhere } from '../commands.ts'
import { forgiveAttempt, takeAttempt } from '../limits/commands.ts'
import { ACCOUNT } from '../limits/rules.ts'
import { isOwnPassword } from '../queries.ts'
import { inWords, type Mistakes, passwordMistakes } from '../rules.ts'
import {
  confirmSecondFactor,
  makeRecoveryCodes,
  openSecret,
  prepareSecondFactor,
  removeSecondFactor,
} from '../second-factor/commands.ts'
import { countRecoveryCodes, findSecondFactor, hasSecondFactor } from '../second-factor/queries.ts'
import { qrCode } from '../second-factor/totp.ts'
import { listSessions } from '../sessions/queries.ts'
import { findOwner } from './queries.ts'
import { overviewPage, type SecondFactorStanding, secondFactorSettingsPage } from './views.ts'

const own = { config: { session: true }, schema: { hide: true } } as const
const REFUSED = 422
const WRONG_CODE: Mistakes = { code: 'This code is wrong: type the one that the app shows now.' }

export const accountRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, now, vault }, done) => {
  /** What is wrong with the current password that a form asks for again; nothing if it is right. */
  async function currentPasswordMistakes({ session }: FastifyRequest, password: string): Promise<Mistakes> {
    const limits = [{ key: `password ${session.userId}`, policy: ACCOUNT }]
    const seconds = await app.change((tx) => takeAttempt(tx, limits, now()))
    if (seconds > 0) return { current_password: `There were too many attempts. Try again in ${inWords(seconds)}.` }
    if (!(await isOwnPassword(db, session, password))) return { current_password: 'This is not your password.' }
    await app.change((tx) => forgiveAttempt(tx, limits))
    return {}
  }

  async function overview({ session }: FastifyRequest) {
    const [owner, sessions] = await Promise.all([findOwner(db, session), listSessions(db, session, now())])
    return { owner, sessions: sessions.map((each) => ({ ...each, isThis: each.key === session.key })) }
  }

  app.get('/account', own, async (request, reply) => {
    const isChanged = (request.query as { told?: string }).told === 'password'
    const told = isChanged ? 'Your password is changed. Everybody else who was signed in with it is out.' : undefined
    return reply.page(overviewPage({ csrf: reply.proof(), ...(await overview(request)), told }))
  })

  app.post('/account', own, async (request, reply) => {
    const { session } = request
    const form = formOf(request, 'change', 'current_password', 'password', 'password_confirmation')
    if (form.change === 'sign out everywhere') {
      await app.change((tx) => signOutEverywhere(tx, session, originOf(request), now()))
      return reply.dropSession().redirect('/sign-in?told=everywhere', 303)
    }
    const typed = passwordMistakes(form)
    const mistakes =
      Object.keys(typed).length > 0 ? typed : await currentPasswordMistakes(request, form.current_password)
    if (Object.keys(mistakes).length > 0) {
      const again = { csrf: reply.proof(), ...(await overview(request)), mistakes }
      return reply.page(overviewPage(again), { status: REFUSED })
    }
    const passwordHash = await hashPassword(form.password)
    await app.change((tx) => changePassword(tx, session, passwordHash, app.baseUrl, originOf(request), now()))
    return reply.redirect('/account?told=password', 303)
  })

  /** How it stands with the user's second factor. */
  async function standing({
    session,
  }: FastifyRequest): Promise<{ kind: 'off' } | { kind: 'on'; recoveryCodes: number }> {
    if (!(await hasSecondFactor(db, session))) return { kind: 'off' }
    return { kind: 'on', recoveryCodes: await countRecoveryCodes(db, session) }
  }

  /** The page that shows a secret which is not asked for yet. */
  async function preparing({
    session,
  }: FastifyRequest): Promise<{ kind: 'preparing'; qr: string; secret: string } | undefined> {
    const factor = await findSecondFactor(db, session)
    if (factor === undefined || factor.confirmed_at !== null) return undefined
    const secret = openSecret(vault, factor.sealed_secret)
    const { email } = await findOwner(db, session)
    return { kind: 'preparing', secret, qr: qrCode(secret, email) }
  }

  app.get('/account/second-factor', own, async (request, reply) =>
    reply.page(secondFactorSettingsPage({ csrf: reply.proof(), ...(await standing(request)) })),
  )

  app.post('/account/second-factor', own, async (request, reply) => {
    const { session } = request
    const { change, step, code, current_password } = formOf(request, 'change', 'step', 'code', 'current_password')
    const origin = originOf(request)
    const show = (form: SecondFactorStanding, status = 200) =>
      reply.page(secondFactorSettingsPage({ csrf: reply.proof(), ...form }), { status })

    if (change === 'confirm') {
      const codes = await app.change((tx) =>
        confirmSecondFactor(tx, session, code.replace(/\s/g, ''), vault, origin, now()),
      )
      if (codes !== undefined) return show({ kind: 'codes', codes })
      const again = await preparing(request)
      return again === undefined
        ? reply.redirect('/account/second-factor', 303)
        : show({ ...again, mistakes: WRONG_CODE }, REFUSED)
    }
    const mistakes = await currentPasswordMistakes(request, current_password)
    if (Object.keys(mistakes).length > 0) return show({ ...(await standing(request)), mistakes }, REFUSED)
    if (change === 'prepare') {
      await app.change((tx) => prepareSecondFactor(tx, session, vault))
      return show((await preparing(request)) ?? (await standing(request)))
    }
    if (step === 'off') {
      await app.change((tx) => removeSecondFactor(tx, session, origin, now()))
      return show({ kind: 'off', told: 'The second step is turned off.' })
    }
    const codes = await app.change((tx) => makeRecoveryCodes(tx, session, origin, now()))
    return show({ kind: 'codes', codes })
  })

  done()
}
