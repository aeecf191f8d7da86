import assert from 'node:assert/strict'
import type { Service, Shop } from './harness.ts'
import { codeAt, ownerOf, signedIn, tryToSignIn, turnOnSecondFactor } from './people.ts'
import { type PageAnswer, type Visitor, visit } from './visitor.ts'

const STEP = '/sign-in/second-factor'

/** Steps that the tests of second factors share. The service has to trust the proxy 127.0.0.1. */
export function secondFactorsOf(service: Service) {
  let addresses = 0

  /** A shop whose owner has a second factor, at a time when none of its codes was used. */
  async function scene() {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const { secret, recoveryCodes } = await turnOnSecondFactor(service, visitor)
    service.clock.advance(60)
    return { shop, visitor, secret, recoveryCodes }
  }

  /** A browser whose owner has typed the password, and is asked for the code. */
  async function halfIn(shop: Shop): Promise<Visitor> {
    addresses += 1
    const visitor = visit(service.url, { 'x-forwarded-for': `198.51.100.${addresses}` })
    const answer = await tryToSignIn(visitor, await ownerOf(service, shop))
    assert.match(answer.location ?? '', /^\/sign-in\/second-factor\?return_to=/)
    await visitor.get(STEP)
    return visitor
  }

  async function tryCode(shop: Shop, code: string): Promise<PageAnswer> {
    return (await halfIn(shop)).submit(STEP, { code })
  }

  /** The current code, or the code at a time that many seconds away. */
  function codeNow(secret: string, seconds = 0): string {
    return codeAt(secret, new Date(service.clock.now().getTime() + seconds * 1000))
  }

  const factorOf = ({ companyId }: Shop) =>
    service.db.selectFrom('second_factors').selectAll().where('company_id', '=', companyId).executeTakeFirst()
  const codesOf = ({ companyId }: Shop) =>
    service.db.selectFrom('recovery_codes').selectAll().where('company_id', '=', companyId).execute()

  return { scene, halfIn, tryCode, codeNow, factorOf, codesOf }
}
