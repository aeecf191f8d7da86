import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { attempt, forgiveAttempt, passwordLimit } from '#identity/attempts/guard.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { changePassword, signOutEverywhere, whileSignedIn } from '../commands.ts'
import { isOwnPassword } from '../queries.ts'
import { type Mistakes, passwordMistakes, waitText } from '../rules.ts'
import {
  confirmSecondFactor,
  openSecret,
  prepareSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../second-factor/commands.ts'
import { countRecoveryCodes, findSecondFactor, hasSecondFactor } from '../second-factor/queries.ts'
import { qrCode } from '../second-factor/totp.secrets.ts'
import { findOwner, readAccount } from './queries.ts'
import { overviewPage, type SecondFactorState, secondFactorSettingsPage } from './views.ts'

const own = { config: { session: true }, schema: { hide: true } } as const
const accountForm = {
  hide: true,
  body: formBody({
    change: 'word',
    current_password: 'password',
    password: 'password',
    password_confirmation: 'password',
  }),
} as const
const secondFactorForm = {
  hide: true,
  body: formBody({ change: 'word', step: 'word', code: 'line', current_password: 'password' }),
} as const
const REFUSED = 422
const WAIT = 429

type Refusal = { status: number; mistakes: Mistakes }

export const accountRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, now, vault, menu }, done) => {
  /** Checks the current password again; undefined if it is right. */
  async function refusePassword(
    request: FastifyRequest,
    reply: FastifyReply,
    password: string,
  ): Promise<Refusal | undefined> {
    const { session } = request
    const { t } = readerOf(request)
    const limits = [passwordLimit(session.userId)]
    const check = await attempt({ db, change: app.change, now }, limits, () => isOwnPassword(db, session, password))
    if (check.kind === 'wait') {
      reply.header('retry-after', check.seconds)
      return { status: WAIT, mistakes: { current_password: waitText(t, check.seconds) } }
    }
    if (!check.result) return { status: REFUSED, mistakes: { current_password: t('account.mistakes.password_wrong') } }
    await app.change((tx) => forgiveAttempt(tx, limits))
    return undefined
  }

  async function overview({ session }: FastifyRequest) {
    const { owner, sessions } = await readAccount(db, session, now())
    return { owner, sessions: sessions.map((each) => ({ ...each, isThis: each.key === session.key })) }
  }

  app.get('/account', own, async (request, reply) => {
    const isChanged = queryText(request, 'told') === 'password'
    const reader = readerOf(request)
    const told = isChanged ? reader.t('account.overview.password.changed') : undefined
    return reply.page(overviewPage(reader, menu, { csrf: reply.csrfToken(), ...(await overview(request)), told }))
  })

  app.post('/account', { ...own, schema: accountForm }, async (request, reply) => {
    const { session } = request
    const form = formOf(request, 'change', 'current_password', 'password', 'password_confirmation')
    if (form.change === 'sign_out_everywhere') {
      await app.change((tx) => signOutEverywhere(tx, session, originOf(request), now()))
      return reply.dropSession().redirect('/sign-in?told=everywhere', 303)
    }
    const reader = readerOf(request)
    const mistakes = passwordMistakes(reader.t, form)
    const refusal =
      Object.keys(mistakes).length > 0
        ? { status: REFUSED, mistakes }
        : await refusePassword(request, reply, form.current_password)
    if (refusal !== undefined) {
      const again = { csrf: reply.csrfToken(), ...(await overview(request)), mistakes: refusal.mistakes }
      return reply.page(overviewPage(reader, menu, again), { status: refusal.status })
    }
    const passwordHash = await hashPassword(form.password)
    const outcome = await app.change((tx) =>
      whileSignedIn(tx, session, () =>
        changePassword(tx, session, passwordHash, app.baseUrl, originOf(request), now()),
      ),
    )
    return outcome === 'signed out' ? reply.toSignIn() : reply.redirect('/account?told=password', 303)
  })

  /** The state of the user's second factor. */
  async function standing({
    session,
  }: FastifyRequest): Promise<{ kind: 'off' } | { kind: 'on'; recoveryCodes: number }> {
    if (!(await hasSecondFactor(db, session))) return { kind: 'off' }
    return { kind: 'on', recoveryCodes: await countRecoveryCodes(db, session) }
  }

  /** The page that shows a secret which is not active yet. */
  async function preparing({
    session,
  }: FastifyRequest): Promise<{ kind: 'preparing'; qr: string; secret: string } | undefined> {
    const factor = await findSecondFactor(db, session)
    const secret = factor?.confirmed_at === null ? openSecret(vault, factor.sealed_secret) : undefined
    if (secret === undefined) return undefined
    const { email } = await findOwner(db, session)
    return { kind: 'preparing', secret, qr: qrCode(secret, email) }
  }

  app.get('/account/second-factor', own, async (request, reply) =>
    reply.page(
      secondFactorSettingsPage(readerOf(request), menu, { csrf: reply.csrfToken(), ...(await standing(request)) }),
    ),
  )

  app.post('/account/second-factor', { ...own, schema: secondFactorForm }, async (request, reply) => {
    const { session } = request
    const { change, step, code, current_password } = formOf(request, 'change', 'step', 'code', 'current_password')
    const origin = originOf(request)
    const reader = readerOf(request)
    const show = (form: SecondFactorState, status = 200) =>
      reply.page(secondFactorSettingsPage(reader, menu, { csrf: reply.csrfToken(), ...form }), { status })
    const showAgain = () => reply.redirect('/account/second-factor', 303)

    if (change === 'confirm') {
      const digits = code.replace(/\s/g, '')
      const codes = await app.change((tx) =>
        whileSignedIn(tx, session, () => confirmSecondFactor(tx, session, digits, vault, origin, now())),
      )
      if (codes === 'signed out') return reply.toSignIn()
      if (codes !== 'wrong') return codes === undefined ? showAgain() : show({ kind: 'codes', codes })
      const again = await preparing(request)
      const mistakes = { code: reader.t('account.mistakes.code_wrong') }
      return again === undefined ? showAgain() : show({ ...again, mistakes }, REFUSED)
    }
    const refusal = await refusePassword(request, reply, current_password)
    if (refusal !== undefined) return show({ ...(await standing(request)), mistakes: refusal.mistakes }, refusal.status)
    if (change === 'prepare') {
      const outcome = await app.change((tx) =>
        whileSignedIn(tx, session, () => prepareSecondFactor(tx, session, vault)),
      )
      if (outcome === 'signed out') return reply.toSignIn()
      return show((await preparing(request)) ?? (await standing(request)))
    }
    if (step === 'off') {
      const outcome = await app.change((tx) =>
        whileSignedIn(tx, session, () => removeSecondFactor(tx, session, origin, now())),
      )
      return outcome === 'signed out'
        ? reply.toSignIn()
        : show({ kind: 'off', told: reader.t('account.second_factor.off.told') })
    }
    if (step !== 'renew') return showAgain()
    const codes = await app.change((tx) =>
      whileSignedIn(tx, session, () => renewRecoveryCodes(tx, session, origin, now())),
    )
    if (codes === 'signed out') return reply.toSignIn()
    return codes === undefined ? showAgain() : show({ kind: 'codes', codes })
  })

  done()
}
