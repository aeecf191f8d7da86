import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { aMember, codeFrom, type Member, registerApp, untilRefused } from '#test/people.ts'
import { auditOf, mailsTo } from '#test/users.ts'
import { visit } from '#test/visitor.ts'

const service = useService()
const BACK = 'https://app.example.com/back'

type Tokens = { access_token: string; refresh_token: string }

const exchange = (clientId: string, token: string) =>
  service.call('POST', '/token', {
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** A user other than the owner, who has allowed an app. */
async function aMemberWithApp(shop: Shop, scope = 'products') {
  const member = await aMember(service, shop)
  await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { create_users: 1 } } })
  const app = await registerApp(service, shop, [BACK])
  const code = await codeFrom(member.visitor, app, { redirect_uri: BACK, scope })
  const { body } = await exchange(app.client_id, code)
  const tokens: Tokens = body
  assert.equal((await service.call('GET', '/api/tokeninfo', { token: tokens.access_token })).status, 200)
  return { member, app, tokens }
}

const change = async (shop: Shop, { id }: Member, user: object) => {
  const answer = await shop.put(`/api/users/${id}.json`, { user })
  assert.equal(answer.status, 200, answer.text)
}

const uninstalled = (companyId: number) =>
  service.db
    .selectFrom('events')
    .select('data')
    .where('company_id', '=', companyId)
    .where('topic', '=', 'app/uninstalled')
    .execute()

describe('the apps that a user allowed', () => {
  test('lose their access at once when the user is disabled, and do not get it back with the user', async () => {
    const shop = await service.openShop()
    const { member, app, tokens } = await aMemberWithApp(shop)
    await change(shop, member, { state: 'disabled' })
    await untilRefused(service, tokens.access_token)
    assert.equal((await exchange(app.client_id, tokens.refresh_token)).body.error, 'invalid_grant')
    assert.deepEqual(await uninstalled(shop.companyId), [{ data: { type: 'app', id: String(app.id) } }])
    const removals = (await auditOf(service, shop)).filter(({ action }) => action === 'app permission removed')
    assert.deepEqual(
      removals.map(({ user_id, app_id, subject }) => [user_id, app_id, subject]),
      [[shop.userId, app.id, 'Shelf']],
    )
    await change(shop, member, { state: 'enabled' })
    assert.equal((await exchange(app.client_id, tokens.refresh_token)).body.error, 'invalid_grant')
  })

  test('keep the access that other users gave them', async () => {
    const shop = await service.openShop()
    const { member, app } = await aMemberWithApp(shop)
    const other = await aMember(service, shop)
    const code = await codeFrom(other.visitor, app, { redirect_uri: BACK })
    await change(shop, member, { state: 'disabled' })
    assert.equal((await exchange(app.client_id, code)).status, 200)
    assert.deepEqual(await uninstalled(shop.companyId), [])
  })

  test('lose their access in the associated companies of a partner, too', async () => {
    const partner = await service.openShop()
    const associate = await service.openShop({ partnerId: partner.companyId })
    const { member, app } = await aMemberWithApp(partner)
    const asked = new URLSearchParams({ client_id: app.client_id, scope: 'products', redirect_uri: BACK })
    await member.visitor.get(`/oauth2/auth?${asked}`)
    const choice = { decision: 'allow', company: String(associate.companyId) }
    const { location = '' } = await member.visitor.submit(/oauth2/, choice)
    const code = new URL(location).searchParams.get('code') ?? ''
    const { body } = await exchange(app.client_id, code)
    await change(partner, member, { state: 'disabled' })
    await untilRefused(service, body.access_token)
    assert.deepEqual(await uninstalled(associate.companyId), [{ data: { type: 'app', id: String(app.id) } }])
  })

  // The state of the user is read at each exchange: a user may have been disabled by other means than the API.
  test('get no tokens for a user who is disabled, even if the grant still stands', async () => {
    const shop = await service.openShop()
    const { member, app, tokens } = await aMemberWithApp(shop)
    const setState = (state: string) =>
      service.db.updateTable('users').set({ state }).where('id', '=', member.id).execute()
    await setState('disabled')
    assert.equal((await exchange(app.client_id, tokens.refresh_token)).body.error, 'invalid_grant')
    await setState('enabled')
    assert.equal((await exchange(app.client_id, tokens.refresh_token)).status, 200)
  })

  test('get no tokens while the user lacks the permission that a scope needs', async () => {
    const shop = await service.openShop()
    const { member, app, tokens } = await aMemberWithApp(shop, 'users,products')
    const plain = await aMemberWithApp(shop, 'products')
    for (const each of [member, plain.member]) await change(shop, each, { permissions: { create_users: 0 } })
    const refused = await exchange(app.client_id, tokens.refresh_token)
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    assert.equal((await exchange(plain.app.client_id, plain.tokens.refresh_token)).status, 200)
    await change(shop, member, { permissions: { create_users: 1 } })
    assert.equal((await exchange(app.client_id, tokens.refresh_token)).status, 200)
  })

  test('keep their access after a password reset, unless the user ticks that they lose it', async () => {
    const shop = await service.openShop()
    const { member, app, tokens } = await aMemberWithApp(shop)
    const words = { password: 'entirely fresh words', password_confirmation: 'entirely fresh words' }
    const reset = async (typed: Record<string, string>) => {
      const visitor = visit(service.url)
      await visitor.get('/reset')
      await visitor.submit('/reset', { email: member.email })
      await service.runJobs()
      const [, path = ''] =
        /(\/reset\/[\w-]{43})\n/.exec((await mailsTo(service, member.email)).at(-1)?.text ?? '') ?? []
      const page = await visitor.get(path)
      assert.match(page.text, /type="checkbox" id="end_apps"/)
      assert.equal((await visitor.submit(path, { ...words, ...typed })).location, '/sign-in?told=reset')
    }
    await reset({})
    const { status, body } = await exchange(app.client_id, tokens.refresh_token)
    assert.equal(status, 200)
    await reset({ end_apps: '1' })
    await untilRefused(service, body.access_token)
    assert.equal((await exchange(app.client_id, body.refresh_token)).body.error, 'invalid_grant')
    assert.equal((await uninstalled(shop.companyId)).length, 1)
  })
})
