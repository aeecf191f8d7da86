import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aMember } from '#test/people.ts'
import { anAddress, anInvitedUser, invitationTo, mailsTo } from '#test/users.ts'
import { visit } from '#test/visitor.ts'
import { secondsToWait } from './rules.ts'

const service = useService()
before(() => service.clock.stop())

const HOUR = 3600
const DAY = 24 * HOUR
const NEW_PASSWORD = { password: 'entirely fresh words', password_confirmation: 'entirely fresh words' }

const invite = (shop: Shop, email = anAddress()) => shop.post('/api/users.json', { user: { email } })

/** The shop with a new access token, because tokens expire while the clock moves. */
const renewed = (shop: Shop) => shop.asUser(shop.userId)

function assertLimited(answer: Answer, seconds: number): void {
  assert.deepEqual([answer.status, answer.body.reason], [429, 'too_many_invitations'], answer.text)
  assert.equal(answer.headers.get('retry-after'), String(seconds))
}

describe('the limits of invitations', () => {
  test('allow a company 20 within an hour, however many come at once', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const answers = await Promise.all(Array.from({ length: 30 }, () => invite(shop)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(20).fill(201), ...Array(10).fill(429)])
    assert.deepEqual((await shop.get('/api/users/count.json')).body, { count: 21 })
    assertLimited(await invite(shop), HOUR)
    assert.equal((await invite(other)).status, 201)
    service.clock.advance(HOUR - 1)
    const later = await renewed(shop)
    assertLimited(await invite(later), 1)
    service.clock.advance(1)
    assert.equal((await invite(later)).status, 201)
  })

  test('allow a company three to one address within a day, also by moving invitations', async () => {
    const shop = await service.openShop()
    const email = anAddress()
    const { token } = await anInvitedUser(shop, { email })
    const move = (to: string, by = shop) => by.put(`/api/users/${token}.json`, { user: { email: to } })
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await move(anAddress())).status, 200)
      assert.equal((await move(email.toUpperCase())).status, 200)
    }
    const elsewhere = anAddress()
    assert.equal((await move(elsewhere)).status, 200)
    assertLimited(await move(email), DAY)
    assert.equal((await shop.get(`/api/users/${token}.json`)).body.user.email, elsewhere)
    service.clock.advance(DAY)
    assert.equal((await move(email, await renewed(shop))).status, 200)
  })

  // The answer must not tell a company that others have invited the same person.
  test('let all companies together send five mails a day to an address, and tell none of them', async () => {
    const email = anAddress()
    const answers: Answer[] = []
    for (let count = 0; count < 7; count += 1) answers.push(await invite(await service.openShop(), email))
    for (const { status, text } of answers) assert.equal(status, 201, text)
    assert.equal((await mailsTo(service, email)).length, 5)
    service.clock.advance(DAY)
    assert.equal((await invite(await service.openShop(), email)).status, 201)
    assert.equal((await mailsTo(service, email)).length, 6)
  })

  test('count what is inside the window only', () => {
    const at = (seconds: number) => new Date(seconds * 1000)
    const limit = { max: 2, seconds: 100 }
    assert.equal(secondsToWait([], limit, at(1000)), 0)
    assert.equal(secondsToWait([at(990)], limit, at(1000)), 0)
    assert.equal(secondsToWait([at(990), at(950)], limit, at(1000)), 50)
    assert.equal(secondsToWait([at(990), at(900)], limit, at(1000)), 0)
    assert.equal(secondsToWait([at(950), at(960), at(970)], limit, at(1000)), 60)
  })
})

describe('an address that a user of another company has', () => {
  test('is invited like any other: only the person learns of it', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const member = await aMember(service, stranger)
    const answer = await invite(shop, member.email)
    const unknown = await invite(shop)
    assert.equal(answer.status, 201, answer.text)
    const comparable = ({ id, token, email, ...rest }: Record<string, unknown>) => rest
    assert.deepEqual(comparable(answer.body.user), comparable(unknown.body.user))
    const mail = (await mailsTo(service, member.email)).at(-1)
    assert.match(mail?.text ?? '', /has an account here already/)
    assert.doesNotMatch((await mailsTo(service, unknown.body.user.email)).at(-1)?.text ?? '', /account here already/)
  })

  test('cannot accept: the page says what to do, and the account stays as it is', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const member = await aMember(service, stranger)
    const { token: ref } = await anInvitedUser(shop, { email: member.email.toUpperCase() })
    const path = `/invitation/${await invitationTo(service, member.email.toUpperCase())}`
    const visitor = visit(service.url)
    const page = await visitor.get(path)
    assert.equal(page.status, 409)
    assert.match(page.text, /ask for an invitation to another address/)
    assert.ok(!page.text.includes('name="password"'))
    // The company can still send the invitation elsewhere, and the member still signs in.
    const moved = anAddress()
    assert.equal((await shop.put(`/api/users/${ref}.json`, { user: { email: moved } })).status, 200)
    await visitor.get(`/invitation/${await invitationTo(service, moved)}`)
    const joined = await visitor.submit(/^\/invitation\//, { first_name: 'Mona', last_name: 'Ember', ...NEW_PASSWORD })
    assert.equal(joined.location, '/admin')
    assert.equal((await member.visitor.get('/admin')).status, 200)
  })

  test('belongs to the first who accepts, if two companies invite it', async () => {
    const shops = [await service.openShop(), await service.openShop()]
    const email = anAddress()
    const visitors = []
    for (const shop of shops) {
      await anInvitedUser(shop, { email })
      const visitor = visit(service.url)
      assert.equal((await visitor.get(`/invitation/${await invitationTo(service, email)}`)).status, 200)
      visitors.push(visitor)
    }
    const answers = await Promise.all(
      visitors.map((visitor) =>
        visitor.submit(/^\/invitation\//, { first_name: 'Mona', last_name: 'Ember', ...NEW_PASSWORD }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.equal(statuses[0], 303)
    assert.ok([409, 422].includes(statuses[1] ?? 0), `${statuses}`)
  })
})
