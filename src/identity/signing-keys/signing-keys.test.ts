import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createVault } from '#platform/identity/vault.ts'
import { useService } from '#test/harness.ts'
import { temporaryFolder } from '#test/start/program.ts'
import { run } from '#test/start/terminal.ts'
import { forgetOldKeys, rotateKeys, signFile } from './commands.ts'

const service = useService()
const DAY = 86_400
const now = () => nowInSeconds(service.clock)

const after = (seconds: number) => new Date(now().getTime() + seconds * 1000)

/** Signs a file that is valid for so many seconds, or without an end. */
function sign(seconds: number | null, vault = service.vault) {
  const end = seconds === null ? null : after(seconds)
  const claims = { sub: 'TNFEQBBVTEDXLUPN', ...(end === null ? {} : { exp: Math.floor(end.getTime() / 1000) }) }
  const file = { type: 'test+jwt', claims, end }
  return inTransaction(service.db, (tx) => signFile(tx, vault, file, now()))
}

const rotate = () => inTransaction(service.db, (tx) => rotateKeys(tx, service.vault, now()))
const forget = () => inTransaction(service.db, (tx) => forgetOldKeys(tx, now()))
const readKeys = () => service.call('GET', '/.well-known/jwks.json')

async function publishedKids(): Promise<string[]> {
  return (await readKeys()).body.keys.map(({ kid }: { kid: string }) => kid)
}

async function verify(jws: string): Promise<void> {
  const keys = createLocalJWKSet((await readKeys()).body)
  await jwtVerify(jws, keys, { currentDate: now(), algorithms: ['EdDSA'], typ: 'test+jwt' })
}

async function sealedKids(): Promise<string[]> {
  const rows = await service.db.selectFrom('signing_keys').selectAll().orderBy('signs_from').execute()
  return rows.filter(({ private_key }) => private_key !== null).map(({ kid }) => kid)
}

describe('signing keys', () => {
  // The first test of the file: nothing has needed a key before.
  test('many who need the first key at once agree on it', async () => {
    service.clock.stop()
    const files = Promise.all(Array.from({ length: 8 }, () => sign(DAY)))
    const sets = Promise.all(Array.from({ length: 8 }, publishedKids))
    const kids = new Set([...(await files).map(({ kid }) => kid), ...(await sets).flat()])
    assert.equal(kids.size, 1)
    for (const { jws } of await files) await verify(jws)
  })

  test('are published for every origin, to be kept for minutes', async () => {
    const { status, headers, body } = await readKeys()
    assert.equal(status, 200)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
    assert.deepEqual(Object.keys(body.keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    assert.partialDeepStrictEqual(body.keys[0], { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })
  })

  test('a new key is published before it signs, and two rotations at once are one', async () => {
    const before = await sign(DAY)
    const [one, other] = await Promise.all([rotate(), rotate()])
    assert.equal(one.key.kid, other.key.kid)
    assert.deepEqual([one.isNew, other.isNew].sort(), [false, true])
    assert.deepEqual(await publishedKids(), [before.kid, one.key.kid])
    service.clock.advance(599)
    assert.equal((await sign(DAY)).kid, before.kid)
    service.clock.advance(1)
    const next = await sign(DAY)
    assert.equal(next.kid, one.key.kid)
    await verify(before.jws)
    await verify(next.jws)
  })

  test('a retired key loses its private half after a day, and is published for 90 days', async () => {
    const [retired, signing] = await publishedKids()
    service.clock.advance(DAY - 60)
    await forget()
    assert.deepEqual(await sealedKids(), [retired, signing])
    service.clock.advance(120)
    await forget()
    assert.deepEqual(await sealedKids(), [signing])
    service.clock.advance(88 * DAY)
    assert.deepEqual(await publishedKids(), [retired, signing])
    service.clock.advance(2 * DAY)
    assert.deepEqual(await publishedKids(), [signing])
    await forget()
    assert.equal((await service.db.selectFrom('signing_keys').select('kid').execute()).length, 1)
  })

  test('a key stays published while a file that it signed is valid', async () => {
    const { kid, jws } = await sign(400 * DAY)
    // A file with an earlier end does not shorten it.
    assert.equal((await sign(DAY)).kid, kid)
    await rotate()
    service.clock.advance(399 * DAY)
    await forget()
    await verify(jws)
    service.clock.advance(10 * DAY)
    assert.ok(!(await publishedKids()).includes(kid))
  })

  test('a key that signed a file without an end is published for good', async () => {
    const { kid, jws } = await sign(null)
    await rotate()
    service.clock.advance(10_000 * DAY)
    await forget()
    assert.ok((await publishedKids()).includes(kid))
    await verify(jws)
  })

  test('a file that is not issued after all keeps no key', async () => {
    const failing = inTransaction(service.db, async (tx) => {
      const file = { type: 'test+jwt', claims: {}, end: null }
      await signFile(tx, service.vault, file, now())
      throw new Error('not issued')
    })
    await assert.rejects(failing, /not issued/)
    const { signed_for_good } = await service.db
      .selectFrom('signing_keys')
      .select('signed_for_good')
      .orderBy('signs_from', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(signed_for_good, false)
  })

  test('the private half is sealed, and a lost secret leads to a new key', async () => {
    const { kid } = await sign(DAY)
    const { private_key } = await service.db
      .selectFrom('signing_keys')
      .select('private_key')
      .where('kid', '=', kid)
      .executeTakeFirstOrThrow()
    assert.ok(private_key !== null && !private_key.toString('latin1').includes('"d"'))
    const renewed = createVault('another secret, as after licet secret renew')
    service.clock.advance(1)
    const files = await Promise.all([sign(DAY, renewed), sign(DAY, renewed)])
    assert.notEqual(files[0].kid, kid)
    assert.equal(files[0].kid, files[1].kid)
    await verify(files[0].jws)
  })
})

describe('licet signing-keys', () => {
  const folder = temporaryFolder()
  const licet = async (...args: string[]) =>
    run(args, { PORT: '0', LICET_DATA: await folder, DATABASE_URL: service.database.url })

  test('lists the keys and rotates them', async () => {
    await service.db.deleteFrom('signing_keys').execute()
    // The database of the service has no secret that the command line could have read.
    await service.db.deleteFrom('installation').execute()
    assert.match((await licet('signing-keys', 'list')).out, /^There is no key yet/)
    const first = JSON.parse((await licet('signing-keys', 'rotate', '--json')).out)
    assert.equal(first.created, true)
    const second = await licet('signing-keys', 'rotate')
    assert.match(second.out, /^Created the key \S+\. It signs from \d{4}-/)
    assert.match((await licet('signing-keys', 'rotate')).out, /^The key \S+ is waiting already\./)
    const { signing_keys } = JSON.parse((await licet('signing-keys', 'list', '--json')).out)
    assert.deepEqual(
      signing_keys.map(({ state }: { state: string }) => state),
      ['signing', 'waiting'],
    )
    assert.equal(signing_keys[0].kid, first.kid)
    assert.match((await licet('signing-keys', 'list')).out, /^Key +State +Signs from +Published until\n/)
  })
})
