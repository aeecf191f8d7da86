import type { LimitDependencies } from '#identity/attempts/guard.ts'
import { confirmSignUp } from '#people/customers/sign-ups/commands.ts'
import { createAttempts } from '#people/player-tokens/limits.commands.ts'
import { type CompanyTime, nowInSeconds } from '#platform/clock.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { askForMail, type Entrance, enterWithLink, enterWithPassword, openSession } from './commands.ts'
import type { AccountMailRequest } from './jobs.ts'

export type SignIn = { kind: 'entered'; sessionToken: string } | { kind: 'wrong' } | { kind: 'wait'; seconds: number }

/** The ways to sign in to a shop, within the limits. */
export function createSignIn(dependencies: LimitDependencies & { now: CompanyTime }) {
  const attempts = createAttempts(dependencies)
  const { change, now, clock } = dependencies

  return {
    async withPassword(entrance: Entrance, email: string, password: string): Promise<SignIn> {
      const check = await attempts.signIn(entrance.companyId, email, password, entrance.address)
      if (check.kind === 'wait') return check
      const { result: account, limits } = check
      if (account === undefined) return { kind: 'wrong' }
      const sessionToken = await change((tx) => enterWithPassword(tx, entrance, account, limits, nowInSeconds(clock)))
      return sessionToken === undefined ? { kind: 'wrong' } : { kind: 'entered', sessionToken }
    },

    withLink(entrance: Entrance, token: string) {
      return change((tx) => enterWithLink(tx, entrance, token, nowInSeconds(clock)))
    },

    /** Creates the account of somebody who has followed the link of a sign-up, and signs them in. */
    async withSignUp(entrance: Entrance, token: string, password: string): Promise<string | undefined> {
      const { companyId, shopId: themeSettingId } = entrance
      const passwordHash = await hashPassword(password)
      return change(async (tx) => {
        const outcome = await confirmSignUp(tx, { companyId, themeSettingId }, token, passwordHash, { now, clock })
        if (outcome.kind === 'void') return undefined
        const { account, own } = outcome.customer
        return openSession(tx, entrance, { account, relations: [own] }, nowInSeconds(clock))
      })
    },

    /** Mails a link, as often as one address may get one. */
    sendMail(request: AccountMailRequest, address: string) {
      return attempts.sendLink(request.companyId, request.email, address, () =>
        change((tx) => askForMail(tx, request, nowInSeconds(clock))),
      )
    },
  }
}

/** Sends a mail, as often as one address may get one. */
export function createMailLimit(dependencies: LimitDependencies) {
  return createAttempts(dependencies).sendLink
}
