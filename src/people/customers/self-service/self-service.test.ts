import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aSharedCustomer, askFor, nameOf, pathTo } from '#test/self-service.ts'
import { mailsTo } from '#test/users.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'
import { deleteOldCustomerLinks } from '../links/commands.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
// Waits of a second would be over before the next request on a slow machine.
before(() => service.clock.stop())

const NEW = 'entirely fresh words'
const TYPED = { password: NEW, password_confirmation: NEW }

let addresses = 0
const aVisitor = () => {
  addresses += 1
  return visit(service.url, { 'x-forwarded-for': `198.51.100.${addresses}` })
}

/** Opens a link and submits its form. */
async function follow(path: string, typed: Record<string, string> = {}): Promise<PageAnswer> {
  const visitor = aVisitor()
  await visitor.get(path)
  return visitor.submit(path, typed)
}

async function isPassword(shop: Shop, email: string, password: string): Promise<boolean> {
  const { body } = await shop.get(`/api/customers.json?${new URLSearchParams({ email, password })}`)
  return body.customer !== undefined
}

const linksOf = (id: number) =>
  service.db.selectFrom('customer_links').selectAll().where('customer_id', '=', id).orderBy('created_at').execute()

const eventsOf = async ({ companyId }: Shop) =>
  (
    await service.db.selectFrom('events').select('topic').where('company_id', '=', companyId).orderBy('id').execute()
  ).map(({ topic }) => topic)

describe('a change that only the customer may make', () => {
  test('is refused to the company, and requested from the customer by mail', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const email = anEmail()
    const answer = await askFor(shop, customer, { email, first_name: 'Taken over', note: 'x', addresses: [{}] })
    assert.deepEqual(
      { ...answer.body, request_id: '' },
      {
        error: 'Other companies know this customer too: only the customer can change the email address.',
        error_code: 409,
        code: 'conflict',
        reason: 'customer_account_shared',
        request_id: '',
      },
    )
    assert.deepEqual(await readCustomer(shop, customer.token), customer)
    const [mail, ...more] = await mailsTo(service, customer.email)
    assert.deepEqual(more, [])
    assert.equal(mail?.subject, `${await nameOf(shop)} asks to change your email address`)
    assert.match(mail?.text ?? '', new RegExp(`^${await nameOf(shop)} asks to change .* to ${email}\\.$`, 'm'))
    assert.deepEqual(await mailsTo(service, email), [])
    // Users of the company must not find the link among the mails of the shop.
    assert.deepEqual([mail?.carries_secret, mail?.company_id], [true, null])
    const path = await pathTo(service, customer.email)
    const [link, ...others] = await linksOf(customer.id)
    assert.deepEqual(others, [])
    assert.deepEqual(link?.token_hash, tokenHash(path.slice('/customer/'.length)))
    assert.deepEqual([link?.kind, link?.new_email, link?.company_id], ['email', email, shop.companyId])
  })

  test('does not store the password that the company sent', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const secret = 'chosen by the company'
    await askFor(shop, customer, { password: secret })
    const [mail] = await mailsTo(service, customer.email)
    assert.match(mail?.text ?? '', /asks you to choose a new password/)
    assert.ok(!`${mail?.text}${mail?.html}${service.log.join('')}`.includes(secret))
    assert.equal((await follow(await pathTo(service, customer.email), TYPED)).status, 200)
    assert.ok(!(await isPassword(shop, customer.email, secret)))
  })

  test('is requested three times a day at most, by all companies together, with the same answer', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const bodies = []
    for (const asking of [shop, other, shop, other, shop]) {
      service.clock.advance(300)
      bodies.push({ ...(await askFor(asking, customer, { password: NEW })).body, request_id: '' })
    }
    for (const body of bodies) assert.deepEqual(body, bodies[0])
    assert.equal((await mailsTo(service, customer.email)).length, 3)
    // Leaving and coming back does not reset the limit.
    await shop.delete(`/api/customers/${customer.token}.json`)
    await shop.post('/api/customers.json', { customer: { email: customer.email, password: CUSTOMER_PASSWORD } })
    await askFor(shop, customer, { email: anEmail() })
    assert.equal((await mailsTo(service, customer.email)).length, 3)
    service.clock.advance(86_400 - 4 * 300 + 1)
    const later = await shop.withScopes('customers')
    await askFor(later, customer, { password: NEW })
    await askFor(later, customer, { password: NEW })
    assert.equal((await mailsTo(service, customer.email)).length, 4)
  })

  test('is not requested from disabled customers, for unshared accounts, or without a difference', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const set = (state: string) =>
      service.db.updateTable('customers').set({ state }).where('id', '=', customer.id).execute()
    await set('disabled')
    await askFor(shop, customer, { password: NEW })
    await set('enabled')
    const put = (change: object) => shop.put(`/api/customers/${customer.token}.json`, { customer: change })
    assert.equal((await put({ email: customer.email.toLowerCase(), password: null, note: 'x' })).status, 200)
    assert.equal((await put({ email: anEmail(), addresses: [{ country_code: 'XX' }] })).status, 422)
    await other.delete(`/api/customers/${customer.token}.json`)
    assert.equal((await put(TYPED)).status, 200)
    assert.deepEqual(await mailsTo(service, customer.email), [])
  })
})

describe('the link for a password', () => {
  test('sets the password that the customer chose, for every company, once', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    await askFor(shop, customer, { password: 'chosen by the company' })
    const path = await pathTo(service, customer.email)
    const before = await readCustomer(other, customer.token)
    const visitor = aVisitor()
    for (let times = 0; times < 3; times += 1) {
      const page = await visitor.get(path)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
      assert.ok(page.text.includes(await nameOf(shop)))
    }
    assert.deepEqual(await readCustomer(other, customer.token), before, 'to look changes nothing')
    service.clock.advance(5)
    const answer = await visitor.submit(path, TYPED)
    assert.equal(answer.status, 200)
    assert.match(answer.text, /Your new password is saved/)
    for (const each of [shop, other]) {
      assert.ok(await isPassword(each, customer.email, NEW))
      assert.ok(!(await isPassword(each, customer.email, CUSTOMER_PASSWORD)))
      const { verified_email, updated_at } = await readCustomer(each, customer.token)
      assert.equal(verified_email, true)
      assert.ok(updated_at > before.updated_at)
      assert.equal((await eventsOf(each)).at(-1), 'customer/update')
    }
    const told = (await mailsTo(service, customer.email)).at(-1)
    assert.deepEqual([told?.subject, told?.carries_secret], ['Your password was changed', false])
    const again = await visitor.get(path)
    assert.equal(again.status, 410)
    assert.ok(!again.text.includes('<form'))
  })

  test('shows the form again for an invalid password', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    await askFor(shop, customer, { password: NEW })
    const path = await pathTo(service, customer.email)
    for (const [password, password_confirmation] of [
      ['1234567', '1234567'],
      ['x'.repeat(65), 'x'.repeat(65)],
      [NEW, `${NEW}.`],
      ['', ''],
    ] as const) {
      const answer = await follow(path, { password, password_confirmation })
      assert.equal(answer.status, 422, password)
      assert.match(answer.text, /aria-invalid="true"/)
      if (password.length > 1) assert.ok(!answer.text.includes(password))
    }
    assert.ok(await isPassword(shop, customer.email, CUSTOMER_PASSWORD))
    assert.equal((await follow(path, TYPED)).status, 200)
  })
})

describe('the link for another address', () => {
  test('sends a second link to the new address, which changes the account', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const email = anEmail()
    await askFor(shop, customer, { email })
    const first = await pathTo(service, customer.email)
    const agreed = await follow(first)
    assert.equal(agreed.status, 200)
    assert.match(agreed.text, /Check your email/)
    assert.deepEqual(await readCustomer(shop, customer.token), customer)
    assert.equal((await aVisitor().get(first)).status, 410)

    const [mail] = await mailsTo(service, email)
    assert.deepEqual([mail?.carries_secret, mail?.company_id], [true, null])
    // It may be a stranger's address.
    assert.ok(!`${mail?.subject}${mail?.text}`.includes(customer.email))
    const second = await pathTo(service, email)
    const page = await aVisitor().get(second)
    assert.ok(!page.text.includes(customer.email.split('@')[0]))
    assert.deepEqual(await readCustomer(shop, customer.token), customer, 'to look changes nothing')
    service.clock.advance(5)
    assert.match((await follow(second)).text, /Your email address is changed/)
    for (const each of [shop, other]) {
      const seen = await readCustomer(each, customer.token)
      assert.deepEqual([seen.email, seen.verified_email, seen.id], [email, true, customer.id])
      assert.equal((await eventsOf(each)).at(-1), 'customer/update')
      assert.ok(await isPassword(each, email, CUSTOMER_PASSWORD))
      assert.ok(!(await isPassword(each, customer.email, CUSTOMER_PASSWORD)))
    }
    assert.equal((await mailsTo(service, customer.email)).at(-1)?.subject, 'Your email address was changed')
    assert.equal((await aVisitor().get(second)).status, 410)
  })

  test('shows that another account has the address by now, at either step', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const email = anEmail()
    await askFor(shop, customer, { email })
    const first = await pathTo(service, customer.email)
    const rival = { email: email.toUpperCase(), password: CUSTOMER_PASSWORD }
    const take = async () => (await other.post('/api/customers.json', { customer: rival })).body.customer.token
    const leave = (token: string) => other.delete(`/api/customers/${token}.json`)
    const rivals = [await take()]
    const refused = await follow(first)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /This address is taken/)
    assert.deepEqual(await mailsTo(service, email), [])
    await leave(rivals[0])
    assert.equal((await follow(first)).status, 200)
    const second = await pathTo(service, email)
    const token = await take()
    assert.equal((await follow(second)).status, 409)
    assert.deepEqual(await readCustomer(shop, customer.token), customer)
    await leave(token)
    assert.equal((await follow(second)).status, 200)
    assert.equal((await readCustomer(shop, customer.token)).email, email)
  })

  test('makes both changes if both are requested: the password at once, the address when it is confirmed', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const email = anEmail()
    const answer = await askFor(shop, customer, { email, password: 'chosen by the company' })
    assert.match(answer.body.error, /email address\.$/)
    assert.equal((await mailsTo(service, customer.email)).length, 1)
    const path = await pathTo(service, customer.email)
    assert.equal((await follow(path, { password: 'short', password_confirmation: 'short' })).status, 422)
    assert.match((await follow(path, TYPED)).text, /Your new password is saved/)
    assert.ok(await isPassword(shop, customer.email, NEW))
    assert.equal((await follow(await pathTo(service, email))).status, 200)
    assert.ok(await isPassword(shop, email, NEW))
  })
})

describe('a link', () => {
  test('ends after a day, and with the next one of its kind', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const visitor = aVisitor()
    await askFor(shop, customer, { password: NEW })
    const first = await pathTo(service, customer.email)
    await askFor(other, customer, { password: NEW })
    const second = await pathTo(service, customer.email)
    await askFor(other, customer, { email: anEmail() })
    const another = await pathTo(service, customer.email)
    const statuses = async () =>
      Promise.all([first, second, another].map(async (path) => (await visitor.get(path)).status))
    assert.deepEqual(await statuses(), [410, 200, 200])
    service.clock.advance(86_390)
    assert.deepEqual(await statuses(), [410, 200, 200])
    service.clock.advance(11)
    assert.deepEqual(await statuses(), [410, 410, 410])
  })

  test('ends with any change of password or address, and with the relation of the company', async () => {
    const changes: ((scene: Awaited<ReturnType<typeof aSharedCustomer>>) => Promise<unknown>)[] = [
      // A company that alone knows the customer may make the change itself.
      async ({ shop, other, customer }) => {
        await other.delete(`/api/customers/${customer.token}.json`)
        const answer = await shop.put(`/api/customers/${customer.token}.json`, { customer: { password: NEW } })
        assert.equal(answer.status, 200)
      },
      async ({ shop, other, customer }) => {
        await other.delete(`/api/customers/${customer.token}.json`)
        const answer = await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: anEmail() } })
        assert.equal(answer.status, 200)
      },
      async ({ other, customer }) => {
        await askFor(other, customer, { password: NEW })
        assert.equal((await follow(await pathTo(service, customer.email), TYPED)).status, 200)
      },
      async ({ shop, customer }) => shop.delete(`/api/customers/${customer.token}.json`),
      async ({ customer }) =>
        service.db.updateTable('customers').set({ state: 'disabled' }).where('id', '=', customer.id).execute(),
      async ({ shop, other, customer }) => {
        for (const each of [shop, other]) await each.delete(`/api/customers/${customer.token}.json`)
        assert.deepEqual(await linksOf(customer.id), [])
      },
    ]
    for (const [index, change] of changes.entries()) {
      const scene = await aSharedCustomer(service)
      await askFor(scene.shop, scene.customer, { email: anEmail() })
      const path = await pathTo(service, scene.customer.email)
      const visitor = aVisitor()
      assert.equal((await visitor.get(path)).status, 200)
      await change(scene)
      assert.equal((await visitor.submit(path)).status, 410, String(index))
      assert.equal((await visitor.get(path)).status, 410, String(index))
    }
  })

  test('stays when other fields change, or another company leaves', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const email = anEmail()
    await askFor(shop, customer, { email })
    const path = await pathTo(service, customer.email)
    assert.equal(
      (await shop.put(`/api/customers/${customer.token}.json`, { customer: { last_name: 'Married' } })).status,
      200,
    )
    await other.delete(`/api/customers/${customer.token}.json`)
    assert.equal((await follow(path)).status, 200)
    assert.equal((await follow(await pathTo(service, email))).status, 200)
    const { last_name, email: now } = await readCustomer(shop, customer.token)
    assert.deepEqual([last_name, now], ['Married', email])
  })

  test('that does not work reveals nothing, and cannot be guessed without limit from one network', async () => {
    const visitor = aVisitor()
    const pages = []
    for (const token of ['x'.repeat(43), 'x', '%00', '..%2f..', 'x'.repeat(1900)]) {
      const page = await visitor.get(`/customer/${token}`)
      assert.equal(page.status, 410, token)
      pages.push(page.text)
    }
    for (const page of pages) assert.equal(page, pages[0])
    await visitor.get('/sign-in')
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/sign-in')).text)?.[1] ?? ''
    const statuses: number[] = []
    for (let tries = 0; tries < 31; tries += 1)
      statuses.push((await visitor.post(`/customer/${'x'.repeat(43)}`, { _csrf })).status)
    assert.deepEqual(statuses, [...Array(30).fill(410), 429])
    assert.equal((await visitor.post(`/customer/${'x'.repeat(43)}`, {})).status, 403, 'no CSRF token')
    assert.equal((await aVisitor().get(`/customer/${'x'.repeat(43)}`)).status, 410)
  })

  test('is deleted when it has expired, and not before', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    await askFor(shop, customer, { password: NEW })
    const [link] = await linksOf(customer.id)
    const before = new Date((link?.expires_at.getTime() ?? 0) - 1000)
    await inTransaction(service.db, (tx) => deleteOldCustomerLinks(tx, before))
    assert.equal((await linksOf(customer.id)).length, 1)
    await inTransaction(service.db, (tx) => deleteOldCustomerLinks(tx, link?.expires_at ?? before))
    assert.deepEqual(await linksOf(customer.id), [])
  })
})
