import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { changeCart } from '../commands.ts'
import { readContents } from '../queries.ts'
import { countOf, EMPTY, LINES_MAX, merged, withLine, withQuantity } from '../rules.ts'
import type { CartLine, Shopper } from '../state.ts'

const LINE: CartLine = {
  product_id: '0001-26ED-EA4F-AA32',
  license_id: 1,
  hd: null,
  audio_type: null,
  num_users: null,
  chosen_product_id: null,
  quantity: 1,
}
const other = (product_id: string, quantity = 1): CartLine => ({ ...LINE, product_id, quantity })

describe('the lines of a cart', () => {
  test('add up for goods, and not for content', () => {
    assert.deepEqual(withLine([LINE], { ...LINE, quantity: 2 }, true), [{ ...LINE, quantity: 3 }])
    assert.deepEqual(withLine([LINE], LINE, false), [LINE])
    assert.deepEqual(withLine([LINE], { ...LINE, license_id: 2 }, false).length, 2)
    assert.equal(withLine([{ ...LINE, quantity: 998 }], { ...LINE, quantity: 5 }, true)[0]?.quantity, 999)
  })

  test('take another quantity, and go with none', () => {
    const lines = [other('A'), other('B')]
    assert.deepEqual(withQuantity(lines, 1, 4), [other('A'), other('B', 4)])
    assert.deepEqual(withQuantity(lines, 0, 0), [other('B')])
    assert.deepEqual(withQuantity(lines, 7, 3), lines)
    assert.equal(countOf(withQuantity(lines, 0, 1_000_000)), 1000)
  })

  test('are at most a hundred', () => {
    const full = Array.from({ length: LINES_MAX }, (_, index) => other(String(index)))
    assert.equal(withLine(full, other('one more'), true).length, LINES_MAX)
    assert.equal(merged({ ...EMPTY, lines: full }, { ...EMPTY, lines: [other('x')] }).lines.length, LINES_MAX)
  })
})

describe('a cart', () => {
  const service = useService()
  const now = () => service.clock.now()
  const put = (shopper: Shopper, line: CartLine) =>
    inTransaction(service.db, (tx) =>
      changeCart(tx, shopper, (cart) => ({ ...cart, lines: withLine(cart.lines, line, true) }), now()),
    )
  const contentsOf = async (shopper: Shopper) =>
    (await readContents(service.db, shopper)).lines.map(({ product_id, quantity }) => `${quantity} ${product_id}`)
  const guest = ({ companyId }: Shop, token: string): Shopper => ({
    companyId,
    shopId: 1,
    customerId: undefined,
    token,
  })

  test('of a guest is found by its token, in its own shop and company only', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    await put(guest(shop, 'one'), other('A'))
    assert.deepEqual(await contentsOf(guest(shop, 'one')), ['1 A'])
    assert.deepEqual(await contentsOf(guest(shop, 'two')), [])
    assert.deepEqual(await contentsOf(guest(stranger, 'one')), [])
    assert.deepEqual(await contentsOf({ ...guest(shop, 'one'), shopId: 2 }), [])
    assert.deepEqual(await contentsOf({ ...guest(shop, 'one'), token: undefined }), [])
  })

  test('follows a customer from device to device, and takes along what was chosen before signing in', async () => {
    const shop = await service.openShop()
    const { id } = await aCustomer(shop)
    const phone: Shopper = { ...guest(shop, 'phone'), customerId: Number(id) }
    await put({ ...phone, customerId: undefined }, other('A'))
    assert.deepEqual(await contentsOf(phone), ['1 A'], 'seen at once')
    await put(phone, other('B', 2))
    const desk: Shopper = { ...guest(shop, 'desk'), customerId: Number(id) }
    await put({ ...desk, customerId: undefined }, other('B', 2))
    await put({ ...desk, customerId: undefined }, other('C'))
    assert.deepEqual(await contentsOf(desk), ['1 A', '2 B', '1 C'], 'the same wish is not doubled')
    await put(desk, other('C'))
    assert.deepEqual(await contentsOf(phone), ['1 A', '2 B', '2 C'])
    assert.deepEqual(await contentsOf({ ...desk, customerId: undefined }), [], 'nobody else sees it after signing out')
  })

  test('loses nothing when a customer adds ten things at once', async () => {
    const shop = await service.openShop()
    const { id } = await aCustomer(shop)
    const shopper: Shopper = { companyId: shop.companyId, shopId: 1, customerId: Number(id), token: undefined }
    await Promise.all(Array.from({ length: 10 }, (_, index) => put(shopper, other(String(index)))))
    assert.equal((await readContents(service.db, shopper)).lines.length, 10)
  })

  test('goes with the customer', async () => {
    const shop = await service.openShop()
    const { id, token } = await aCustomer(shop)
    await put({ companyId: shop.companyId, shopId: 1, customerId: Number(id), token: undefined }, other('A'))
    assert.equal((await shop.delete(`/api/customers/${token}.json`)).status, 200)
    const { carts } = await service.db
      .selectFrom('carts')
      .select((select) => select.fn.countAll<number>().as('carts'))
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.equal(carts, 0)
  })
})
