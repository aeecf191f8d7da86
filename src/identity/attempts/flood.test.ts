import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aGuesser } from '#test/guesser.ts'
import { useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { ownerOf, signedIn, signOut, tryToSignIn } from '#test/people.ts'
import { auditOf } from '#test/users.ts'

const service = useService({ trustProxy: ['127.0.0.1'], hashing: 'lasting' })
const hashing = watchHashing()
before(() => service.clock.stop())

/** Sends a few requests; all must succeed, and the first before the flood is over. */
async function areAnsweredDuring(flood: Promise<unknown>, ask: () => Promise<{ status: number }>): Promise<void> {
  let isOver = false
  void flood.finally(() => {
    isOver = true
  })
  const answers = Array.from({ length: 5 }, ask)
  await Promise.race(answers)
  assert.ok(!isOver, 'the flood was over before the first answer came')
  for (const { status } of await Promise.all(answers)) assert.ok(status < 300, String(status))
}

describe('a thousand wrong passwords at once for one account', () => {
  test('count as five, and delay neither others nor the owner', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const known = await signedIn(service, shop)
    await signOut(known)
    const guessers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => aGuesser(service.url, `198.51.100.${index}`)),
    )
    const checked = hashing.count()
    const flood = Promise.all(
      Array.from({ length: 1000 }, (_, index) => guessers[index % 100]!.guess(owner.email, `guess ${index}`)),
    )
    const product = { product_type: 1, title: 'Meanwhile' }
    const [entry, answers, , , created] = await Promise.all([
      tryToSignIn(known, owner),
      flood,
      areAnsweredDuring(flood, () => service.call('GET', '/health')),
      areAnsweredDuring(flood, () => shop.get('/api/products.json')),
      shop.post('/api/products.json', { product }),
    ])
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 422).length, 5)
    assert.equal(statuses.filter((status) => status === 429).length, 995)
    assert.equal(hashing.count() - checked, 6, 'the five, and the owner')
    const refused = (await auditOf(service, shop)).filter(({ action }) => action === 'sign-in refused')
    assert.equal(refused.length, 5)
    assert.equal(entry.location, '/admin')
    assert.equal(created.status, 201)
  })
})

describe('hundreds of passwords at once for as many accounts', () => {
  test('are checked up to a limit, and the others are not counted', async () => {
    const shop = await service.openShop()
    const guessers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        aGuesser(service.url, `203.0.${113 + Math.floor(index / 250)}.${index % 250}`),
      ),
    )
    const checked = hashing.count()
    const flood = Promise.all(guessers.map(({ guess }, index) => guess(`account${index}@example.com`, 'guess')))
    const [answers] = await Promise.all([
      flood,
      areAnsweredDuring(flood, () => service.call('GET', '/health')),
      areAnsweredDuring(flood, () => shop.get('/api/products.json')),
    ])
    const made = answers.filter(({ status }) => status === 422)
    const sentAway = answers.filter(({ status }) => status === 503)
    assert.equal(made.length + sentAway.length, 300)
    assert.ok(made.length >= 202, `${made.length}`)
    assert.ok(sentAway.length > 0)
    assert.equal(hashing.count() - checked, made.length)
    assert.equal(hashing.mostAtOnce(), 2)
    for (const { headers, text } of sentAway) {
      assert.equal(headers.get('retry-after'), '1')
      assert.match(headers.get('content-type') ?? '', /text\/html/)
      assert.match(text, /<h1>/)
    }
    const counted = await service.db
      .selectFrom('attempt_limits')
      .select('key')
      .where('key', 'like', 'address 203.0.%')
      .where('failures', '>', 0)
      .execute()
    assert.equal(counted.length, made.length)
  })
})
