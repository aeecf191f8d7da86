import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import { type Answer, useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { aSharedCustomer, askFor, oneByOne, pathTo } from '#test/self-service.ts'
import { mailsTo } from '#test/users.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'

const service = useService()

const NEW = 'entirely fresh words'
const TYPED = { password: NEW, password_confirmation: NEW }

/** A browser that has a link open and submits its form on demand. */
async function ready(path: string, typed: Record<string, string> = {}): Promise<() => Promise<PageAnswer>> {
  const visitor = visit(service.url)
  assert.equal((await visitor.get(path)).status, 200)
  return () => visitor.submit(path, typed)
}

/** A link for a new address that the customer has agreed to. */
async function aProof(email = anEmail()) {
  const scene = await aSharedCustomer(service)
  await askFor(scene.shop, scene.customer, { email })
  assert.equal((await (await ready(await pathTo(service, scene.customer.email)))()).status, 200)
  return { ...scene, email, path: await pathTo(service, email) }
}

const statuses = (answers: (PageAnswer | Answer)[]) => answers.map(({ status }) => status)
const sorted = (answers: (PageAnswer | Answer)[]) => statuses(answers).sort()

describe('at the same time', () => {
  test('one of ten requests sets the password', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    await askFor(shop, customer, { password: NEW })
    const path = await pathTo(service, customer.email)
    const words = Array.from({ length: 10 }, (_, index) => `password ${index}`)
    const starts = await Promise.all(words.map((word) => ready(path, { password: word, password_confirmation: word })))
    const answers = await Promise.all(starts.map((start) => start()))
    assert.deepEqual(sorted(answers), [200, ...Array(9).fill(410)])
    const winner = words[statuses(answers).indexOf(200)] ?? ''
    const { body } = await shop.get(
      `/api/customers.json?${new URLSearchParams({ email: customer.email, password: winner })}`,
    )
    assert.equal(body.customer?.token, customer.token)
    const told = (await mailsTo(service, customer.email)).filter(({ subject }) => /was changed/.test(subject))
    assert.equal(told.length, 1)
  })

  test('one of ten requests sends the second link, and one of ten that follow it changes the address', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const email = anEmail()
    await askFor(shop, customer, { email })
    const tenOf = async (path: string) => {
      const starts = await Promise.all(Array.from({ length: 10 }, () => ready(path)))
      return sorted(await Promise.all(starts.map((start) => start())))
    }
    assert.deepEqual(await tenOf(await pathTo(service, customer.email)), [200, ...Array(9).fill(410)])
    assert.equal((await mailsTo(service, email)).length, 1)
    assert.deepEqual(await tenOf(await pathTo(service, email)), [200, ...Array(9).fill(410)])
    assert.equal((await readCustomer(shop, customer.token)).email, email)
  })

  test('one of two customers takes an address, and the other is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = anEmail()
      const one = await aProof(email)
      const other = await aProof(email)
      const starts = [await ready(one.path), await ready(other.path)]
      const answers = await Promise.all(starts.map((start) => start()))
      assert.deepEqual(sorted(answers), [200, 409])
      const loser = answers.find(({ status }) => status === 409)
      assert.match(loser?.text ?? '', /This address is taken/)
    }
  })

  // The check has found the address free by then: only the index detects the conflict.
  test('an address that is taken between the check and the change is refused', async () => {
    const { shop, customer, email, path } = await aProof()
    const start = await ready(path)
    const rival = await aCustomer(shop)
    let followed: Promise<PageAnswer> | undefined
    await inTransaction(service.db, async (tx) => {
      await tx.updateTable('customers').set({ email }).where('id', '=', rival.id).execute()
      followed = start()
      await untilWaiting(service, 1)
    })
    const answer = await followed
    assert.equal(answer?.status, 409)
    assert.match(answer?.text ?? '', /This address is taken/)
    assert.deepEqual(await readCustomer(shop, customer.token), customer)
    assert.equal((await visit(service.url).get(path)).status, 200, 'nothing was done, and the link is as it was')
  })

  test('many requests send three mails, and leave one link of a kind', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => askFor(index % 2 ? shop : other, customer, { password: NEW })),
    )
    const mails = await mailsTo(service, customer.email)
    assert.equal(mails.length, 3)
    const paths = mails.map(({ text }) => /\/customer\/[\w-]{43}/.exec(text ?? '')?.[0] ?? '')
    const found = await Promise.all(paths.map((path) => visit(service.url).get(path)))
    assert.deepEqual(sorted(found), [200, 410, 410])
  })
})

describe('a link in use', () => {
  test('does not work if the account was erased meanwhile', async () => {
    const scene = await aSharedCustomer(service)
    await askFor(scene.shop, scene.customer, { password: NEW })
    const start = await ready(await pathTo(service, scene.customer.email), TYPED)
    const removals = [scene.shop, scene.other].map(
      (each) => () => each.delete(`/api/customers/${scene.customer.token}.json`) as Promise<Answer | PageAnswer>,
    )
    const answers = await oneByOne(service, scene.customer, [...removals, start])
    assert.deepEqual(statuses(answers), [200, 200, 410])
  })

  test('does not work if the requesting company has changed the account itself meanwhile', async () => {
    const { shop, other, customer, path } = await aProof()
    const start = await ready(path)
    const chosen = anEmail()
    const answers = await oneByOne<Answer | PageAnswer>(service, customer, [
      () => other.delete(`/api/customers/${customer.token}.json`),
      () => shop.put(`/api/customers/${customer.token}.json`, { customer: { email: chosen } }),
      start,
    ])
    assert.deepEqual(statuses(answers), [200, 200, 410])
    assert.equal((await readCustomer(shop, customer.token)).email, chosen)
  })

  test('updates the document of a company that adds the customer meanwhile', async () => {
    const { customer, email, path } = await aProof()
    const start = await ready(path)
    const third = await service.openShop()
    const join = () =>
      third.post('/api/customers.json', { customer: { email: customer.email, password: CUSTOMER_PASSWORD } })
    const answers = await oneByOne<Answer | PageAnswer>(service, customer, [join, start])
    assert.deepEqual(statuses(answers), [201, 200])
    assert.equal((await readCustomer(third, customer.token)).email, email)
  })

  test('a change waits for a company that joins, and then counts it', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop)
    const answers = await oneByOne(service, customer, [
      () => other.post('/api/customers.json', { customer: { email: customer.email, password: CUSTOMER_PASSWORD } }),
      () => shop.put(`/api/customers/${customer.token}.json`, { customer: { password: NEW } }),
    ])
    assert.deepEqual(statuses(answers), [201, 409])
    assert.equal((await mailsTo(service, customer.email)).length, 1)
  })
})
