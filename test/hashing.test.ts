import './hashing.ts'
import assert from 'node:assert/strict'
import crypto, { argon2, argon2Sync } from 'node:crypto'
import { afterEach, describe, test } from 'node:test'
import { hashPassword, verifyPassword } from '#platform/identity/crypto.ts'
import { cheapHash, hashWith, watchHashing } from './hashing.ts'

const PASSWORD = 'correct horse'

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** The cost that a hash says it has, and whether its tag is that of another cost. */
function read(phc: string) {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(phc) ?? []
  const stated = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const isOf = (cost: Partial<typeof stated>) => {
    const parameters = { message: PASSWORD, nonce: Buffer.from(nonce, 'base64'), ...stated, ...cost, tagLength: 32 }
    return argon2Sync('argon2id', parameters).toString('base64').replaceAll('=', '') === tag
  }
  return { stated, isOf }
}

const CHEAP = { memory: 8, passes: 1 }

afterEach(() => hashWith('real'))

// If Node or the service computed hashes by another function, or at another cost, all tests would get slow and none fail.
describe('hashes of passwords in tests', () => {
  test('are those of the service until a test says otherwise', async () => {
    const { stated, isOf } = read(await hashPassword(PASSWORD))
    assert.equal(isOf(stated), true)
    assert.equal(isOf(CHEAP), false)
  })

  test('are cheap if a test says so, and still say that they are not', async () => {
    const real = read(await hashPassword(PASSWORD))
    hashWith('cheap')
    const phc = await hashPassword(PASSWORD)
    assert.deepEqual(read(phc).stated, real.stated)
    assert.equal(read(phc).isOf(CHEAP), true)
    assert.equal(await verifyPassword(PASSWORD, phc), true)
    assert.equal(await verifyPassword(`${PASSWORD}x`, phc), false)
  })

  test('can take as long as real ones, at hardly any cost', async () => {
    hashWith('lasting')
    const begunMs = performance.now()
    const { isOf } = read(await hashPassword(PASSWORD))
    // Timers may run a millisecond early.
    assert.ok(performance.now() - begunMs >= 49)
    assert.equal(isOf(CHEAP), true)
  })

  test('of another cost are left alone', async () => {
    hashWith('cheap')
    const elsewhere = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.equal(await verifyPassword('password', elsewhere), true)
  })

  test('are cheap to check if they were made to be', async () => {
    const { stated, isOf } = read(cheapHash(PASSWORD))
    assert.deepEqual(stated, { ...CHEAP, parallelism: 1 })
    assert.equal(isOf({}), true)
    assert.equal(await verifyPassword(PASSWORD, cheapHash(PASSWORD)), true)
  })

  test('are counted, also those that are under way at once', async () => {
    hashWith('lasting')
    const watched = watchHashing()
    await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
    await verifyPassword(PASSWORD, null)
    assert.deepEqual([watched.count(), watched.mostAtOnce()], [3, 2])
  })

  test('are made by the function that modules import', () => {
    assert.equal(argon2, crypto.argon2)
  })
})
