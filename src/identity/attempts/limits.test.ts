import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { aGuesser } from '#test/guesser.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { assertOnlyWaiting, untilWaiting } from '#test/in-line.ts'
import { aMember, ownerOf, signedIn, signOut } from '#test/people.ts'
import { auditOf, mailsTo } from '#test/users.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'
import { accountLimit, deleteOldLimits, takeAttempt } from './guard.ts'
import { normalizeEmail, type Policy } from './rules.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const hashing = watchHashing()
before(() => service.clock.stop())

let addresses = 0
/** A network address without any attempts. */
function anAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${addresses % 250}`
}

const guesserAt = (address = anAddress()) => aGuesser(service.url, address)
const waitOf = ({ status, headers }: PageAnswer) => (status === 429 ? Number(headers.get('retry-after')) : 0)
const refusals = async (shop: Shop) =>
  (await auditOf(service, shop)).filter(({ action }) => action === 'sign-in refused').length

/** The waits after wrong passwords, each sent as soon as the one before allows. */
async function waits(email: string, tries: number): Promise<number[]> {
  const { guess } = await guesserAt()
  const found: number[] = []
  for (let each = 0; each < tries; each += 1) {
    let answer = await guess(email, 'wrong')
    const wait = waitOf(answer)
    if (wait > 0) {
      service.clock.advance(wait - 1)
      assert.equal((await guess(email, 'wrong')).status, 429, 'a second too early')
      service.clock.advance(1)
      answer = await guess(email, 'wrong')
    }
    assert.equal(answer.status, 422)
    found.push(wait)
  }
  return found
}

describe('wrong passwords for one account', () => {
  test('are free five times, then wait longer and longer, as the answer says', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    assert.deepEqual(await waits(email, 12), [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64])
  })

  test('wait in the same way for an unknown account', async () => {
    assert.deepEqual(await waits('nobody-at-all@example.com', 12), [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64])
  })

  test('are neither checked nor recorded while they wait, and neither is the right one', async () => {
    const shop = await service.openShop()
    const { email } = await ownerOf(service, shop)
    const { guess, visitor } = await guesserAt()
    for (let tries = 0; tries < 5; tries += 1) await guess(email, 'wrong')
    const counted = [hashing.count(), await refusals(shop)]
    for (const password of ['wrong', PASSWORD]) {
      const answer = await guess(email, password)
      assert.equal(answer.status, 429)
      assert.match(answer.headers.get('content-type') ?? '', /text\/html/)
      assert.match(answer.text, /role="alert"/)
      assert.match(answer.text, /action="\/sign-in"/)
    }
    assert.deepEqual([hashing.count(), await refusals(shop)], counted)
    assert.equal(counted[1], 5)
    assert.ok(!visitor.cookies.has('licet_session'))
    service.clock.advance(1)
    assert.equal((await guess(email, PASSWORD)).location, '/admin')
  })

  test('are forgotten after the right one', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    const { guess } = await guesserAt()
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 0; tries < 4; tries += 1) assert.equal((await guess(email, 'wrong')).status, 422)
      const browser = await guesserAt()
      assert.equal((await browser.guess(email, PASSWORD)).location, '/admin')
    }
  })

  test('count together, from any network and in any spelling of the address', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email} `, `\t${email.toUpperCase()}\n`]
    for (const spelling of spellings) assert.equal((await (await guesserAt()).guess(spelling, 'wrong')).status, 422)
    assert.equal((await (await guesserAt()).guess(email, 'wrong')).status, 429)
  })

  // In many collations a dotted capital I is a capital of i: each spelling would allow more guesses.
  test('count together for every spelling that the database treats as the same', async () => {
    const { rows } = await sql<{ letter: string; small: string }>`
      select chr(n) as letter, lower(chr(n)) as small from generate_series(1, 1114111) as n
      where n not between 55296 and 57343 and lower(chr(n)) <> chr(n)`.execute(service.db)
    assert.ok(rows.length >= 26)
    for (const { letter, small } of rows)
      assert.equal(
        normalizeEmail(`${letter}@x`),
        normalizeEmail(`${small}@x`),
        `U+${letter.codePointAt(0)?.toString(16)}`,
      )
    assert.notEqual(normalizeEmail('a@x'), normalizeEmail('b@x'))
  })

  test('do not keep the owner from signing in in a known browser', async () => {
    const shop = await service.openShop()
    const address = anAddress()
    const owner = await ownerOf(service, shop)
    const known = await signedIn(service, shop, { 'x-forwarded-for': address })
    await signOut(known)
    const { guess } = await guesserAt(address)
    for (let tries = 0; tries < 6; tries += 1) await guess(owner.email, 'wrong')
    assert.equal((await guess(owner.email, PASSWORD)).status, 429)
    await known.get('/sign-in')
    assert.equal((await known.submit('/sign-in', owner)).location, '/admin')
    // Nor does the owner's sign-in there let the guesser go on.
    assert.equal((await guess(owner.email, 'wrong')).status, 429)
  })

  test('are limited in known browsers too, separately for each', async () => {
    const shop = await service.openShop()
    const { email } = await ownerOf(service, shop)
    const known = await signedIn(service, shop, { 'x-forwarded-for': anAddress() })
    await signOut(known)
    for (let tries = 0; tries < 5; tries += 1) {
      await known.get('/sign-in')
      assert.equal((await known.submit('/sign-in', { email, password: 'wrong' })).status, 422)
    }
    await known.get('/sign-in')
    assert.equal((await known.submit('/sign-in', { email, password: PASSWORD })).status, 429)
    assert.equal((await (await guesserAt()).guess(email, PASSWORD)).location, '/admin')
  })

  test("count as a stranger's in a browser known to another user only", async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const { email } = await ownerOf(service, other)
    const visitor = await signedIn(service, shop, { 'x-forwarded-for': anAddress() })
    await signOut(visitor)
    for (let tries = 0; tries < 5; tries += 1) {
      await visitor.get('/sign-in')
      await visitor.submit('/sign-in', { email, password: 'wrong' })
    }
    assert.equal((await (await guesserAt()).guess(email, 'wrong')).status, 429)
  })

  test('do not keep the owner out of any browser after a reset', async () => {
    const shop = await service.openShop()
    const { email } = await ownerOf(service, shop)
    const { guess } = await guesserAt()
    for (let tries = 0; tries < 6; tries += 1) await guess(email, 'wrong')
    const visitor = visit(service.url, { 'x-forwarded-for': anAddress() })
    await visitor.get('/reset')
    await visitor.submit('/reset', { email })
    await service.runJobs()
    const [, path = ''] = /(\/reset\/[\w-]+)\n/.exec((await mailsTo(service, email)).at(-1)?.text ?? '') ?? []
    await visitor.get(path)
    const password = 'a new password'
    await visitor.submit(path, { password, password_confirmation: password })
    assert.equal((await (await guesserAt()).guess(email, password)).location, '/admin')
  })
})

describe('wrong passwords from one network address', () => {
  test('wait after thirty, for any accounts, and delay no other address', async () => {
    const address = anAddress()
    const { guess } = await guesserAt(address)
    for (let tries = 0; tries < 30; tries += 1)
      assert.equal((await guess(`nobody${tries}@example.com`, 'wrong')).status, 422, String(tries))
    const { email } = await ownerOf(service, await service.openShop())
    const blocked = await guess(email, PASSWORD)
    assert.deepEqual([blocked.status, waitOf(blocked)], [429, 1])
    assert.equal((await (await guesserAt()).guess(email, PASSWORD)).location, '/admin')
    service.clock.advance(1)
    assert.equal((await guess('nobody@example.com', 'wrong')).status, 422)
    assert.equal(waitOf(await guess('nobody@example.com', 'wrong')), 2)
  })

  test('count for the whole /64 of IPv6, because a guesser has all of its addresses', async () => {
    for (let tries = 0; tries < 30; tries += 1) {
      const { guess } = await guesserAt(`2001:db8:1:2:${tries}::${tries + 1}`)
      assert.equal((await guess(`nobody${tries}@example.org`, 'wrong')).status, 422)
    }
    assert.equal((await (await guesserAt('2001:db8:1:2:ffff::1')).guess('x@example.org', 'wrong')).status, 429)
    assert.equal((await (await guesserAt('2001:db8:1:3::1')).guess('x@example.org', 'wrong')).status, 422)
  })

  test('are not counted for the right ones among them', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    const address = anAddress()
    const { guess } = await guesserAt(address)
    for (let tries = 0; tries < 29; tries += 1) await guess(`somebody${tries}@example.com`, 'wrong')
    for (let tries = 0; tries < 3; tries += 1) {
      const browser = await guesserAt(address)
      assert.equal((await browser.guess(email, PASSWORD)).location, '/admin')
    }
    assert.equal((await guess('somebody@example.com', 'wrong')).status, 422)
    assert.equal((await guess('somebody@example.com', 'wrong')).status, 429)
    // A right one that waited for its turn takes back itself, and no wrong one.
    service.clock.advance(1)
    assert.equal((await (await guesserAt(address)).guess(email, PASSWORD)).location, '/admin')
    assert.equal((await guess('somebody-else@example.com', 'wrong')).status, 422)
    assert.equal(waitOf(await guess('somebody-else@example.com', 'wrong')), 2)
  })

  test('wait for the longer of account and address', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    const address = anAddress()
    const { guess } = await guesserAt(address)
    for (let tries = 0; tries < 25; tries += 1) await guess(`crowd${tries}@example.com`, 'wrong')
    for (let tries = 0; tries < 5; tries += 1) await guess(email, 'wrong')
    service.clock.advance(1)
    await guess(email, 'wrong')
    assert.equal(waitOf(await guess(email, 'wrong')), 2)
    const elsewhere = await guesserAt()
    service.clock.advance(2)
    for (const wait of [4, 8, 16]) {
      await elsewhere.guess(email, 'wrong')
      assert.equal(waitOf(await elsewhere.guess(email, 'wrong')), wait)
      if (wait < 16) service.clock.advance(wait)
    }
    await guess('crowd@example.com', 'wrong')
    assert.equal(waitOf(await guess(email, 'wrong')), 16)
    service.clock.advance(16)
  })
})

describe('a clock that was ahead and has gone back', () => {
  test('has nobody wait for the time that it had shown', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    const { guess } = await guesserAt()
    service.clock.advance(3600)
    for (let tries = 0; tries < 6; tries += 1) await guess(email, 'wrong')
    assert.equal((await guess(email, 'wrong')).status, 429)
    service.clock.advance(-3600)
    assert.equal((await guess(email, 'wrong')).status, 422)
    // What was tried meanwhile is remembered.
    const wait = waitOf(await guess(email, 'wrong')) ?? 0
    assert.ok(wait > 0 && wait <= 4, String(wait))
    service.clock.advance(4)
    assert.equal((await guess(email, PASSWORD)).location, '/admin')
  })
})

describe('the record of attempts', () => {
  test('does not contain email addresses', async () => {
    const { guess } = await guesserAt()
    await guess('somebody.particular@example.com', 'wrong')
    const rows = await service.db.selectFrom('attempt_limits').selectAll().execute()
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes('particular'))
  })

  test('is deleted when it is out of date, and not before', async () => {
    await (await guesserAt()).guess('late@example.com', 'wrong')
    const keys = async () =>
      (await service.db.selectFrom('attempt_limits').select('key').where('failures', '>', 0).execute()).length
    const inADay = (seconds: number) => new Date(service.clock.now().getTime() + (86_400 + seconds) * 1000)
    const had = await keys()
    await inTransaction(service.db, (tx) => deleteOldLimits(tx, inADay(-60)))
    assert.ok((await keys()) >= 2 && had >= 2)
    await inTransaction(service.db, (tx) => deleteOldLimits(tx, inADay(60)))
    assert.equal(await keys(), 0)
  })
})

describe('many attempts at once', () => {
  test('wait outside the database, whose connections other requests need', async () => {
    const shop = await service.openShop()
    const { email } = await ownerOf(service, shop)
    const guessers = await Promise.all(Array.from({ length: 30 }, () => guesserAt()))
    await guessers[0]?.guess(email, 'wrong')
    const [flood] = await inTransaction(service.db, async (tx) => {
      await sql`select key from attempt_limits where key = ${accountLimit(email).key} for update`.execute(tx)
      const answers = Promise.all(guessers.map(({ guess }) => guess(email, 'wrong')))
      await untilWaiting(service, 2)
      const { status } = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Meanwhile' } })
      assert.equal(status, 201)
      await assertOnlyWaiting(service, 2)
      return [answers]
    })
    const statuses = (await flood)?.map(({ status }) => status)
    assert.equal(statuses?.filter((status) => status === 422).length, 4)
    assert.equal(statuses?.filter((status) => status === 429).length, 26)
  })

  test('all succeed with the right password', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    for (let round = 0; round < 5; round += 1) {
      const guessers = await Promise.all(Array.from({ length: 4 }, () => guesserAt()))
      const answers = await Promise.all(guessers.map(({ guess }) => guess(member.email, member.password)))
      for (const { location, text } of answers) assert.equal(location, '/admin', text)
    }
  })
})

describe('an attempt that counts under several keys', () => {
  const once: Policy = { free: 2, longestSeconds: 900, forgetSeconds: 86_400, forgives: 'itself' }
  const take = (...keys: string[]) =>
    inTransaction(service.db, (tx) =>
      takeAttempt(
        tx,
        keys.map((key) => ({ key, policy: once })),
        service.clock.now(),
      ),
    )

  test('counts under all of them, known and new, or under none', async () => {
    assert.equal(await take('key a'), 0)
    assert.equal(await take('key a', 'key b'), 0)
    // After two attempts, the next one has to wait.
    assert.equal(await take('key a', 'key c'), 1)
    assert.equal(await take('key b', 'key c'), 0)
    const { rows } = await sql`select key, failures from attempt_limits where key like 'key _' order by key`.execute(
      service.db,
    )
    assert.deepEqual(rows, [
      { key: 'key a', failures: 2 },
      { key: 'key b', failures: 2 },
      { key: 'key c', failures: 1 },
    ])
  })

  test('is counted once each where many are made at once, whichever key is named first', async () => {
    const many: Policy = { free: 100, longestSeconds: 1, forgetSeconds: 60, forgives: 'itself' }
    const keys = ['both x', 'both y'].map((key) => ({ key, policy: many }))
    const orders = [keys, keys.toReversed()]
    const now = service.clock.now()
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        inTransaction(service.db, (tx) => takeAttempt(tx, orders[index % 2] ?? keys, now)),
      ),
    )
    const { rows } = await sql`select key, failures from attempt_limits where key like 'both _' order by key`.execute(
      service.db,
    )
    assert.deepEqual(rows, [
      { key: 'both x', failures: 40 },
      { key: 'both y', failures: 40 },
    ])
  })
})
