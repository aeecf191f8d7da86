import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { aCustomer, shareCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm, order } from '#test/orders.ts'
import { auditOf } from '#test/terms.ts'

const service = useService()

async function open() {
  const shop = await service.openShop()
  const [page, customer] = [await ownerPage(service, shop), await aCustomer(shop)]
  const set = (state: string) => page.put(`/customers/${customer.token}/state.json`, { customer: { state } })
  return { shop, page, customer, set }
}

describe('a signed-in user', () => {
  test('disables a customer, who cannot order any more, and enables the customer again', async () => {
    const { shop, page, customer, set } = await open()
    const { product_id } = await aFilm(service, shop)
    const buy = () => order(shop, { customer_token: customer.token, line_items: [{ product_id }] })
    assert.equal((await buy()).status, 201)
    const disabled = await set('disabled')
    assert.deepEqual([disabled.status, disabled.body.customer.state], [200, 'disabled'], disabled.text)
    assert.equal((await shop.get(`/api/customers/${customer.token}.json`)).body.customer.state, 'disabled')
    const refused = await buy()
    assert.deepEqual([refused.status, refused.body.reason], [422, 'customer_disabled'])
    assert.equal((await set('enabled')).body.customer.state, 'enabled')
    assert.equal((await buy()).status, 201)
    assert.equal((await page.get(`/customers/${customer.token}.json`)).body.customer.state, 'enabled')
  })

  test('leaves an event and an audit entry for a change, and none for no change', async () => {
    const { shop, customer, set } = await open()
    const events = () =>
      service.db.selectFrom('events').select('topic').where('company_id', '=', shop.companyId).orderBy('id').execute()
    const before = (await events()).length
    for (const state of ['disabled', 'disabled', 'enabled']) assert.equal((await set(state)).status, 200)
    const added = (await events()).slice(before).map(({ topic }) => topic)
    assert.deepEqual(added, ['customer/update', 'customer/update'])
    const entries = (await auditOf(service, shop)).filter(({ action }) => action.startsWith('customer'))
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      [
        ['customer disabled', customer.token],
        ['customer enabled', customer.token],
      ],
    )
  })

  // Otherwise one company could keep another one's customer from ordering there.
  test('cannot disable a customer whom other companies know', async () => {
    const { shop, customer, set } = await open()
    const other = await service.openShop()
    await shareCustomer(other, customer)
    const answer = await set('disabled')
    assert.deepEqual([answer.status, answer.body.reason], [409, 'customer_state_shared'])
    assert.equal((await shop.get(`/api/customers/${customer.token}.json`)).body.customer.state, 'enabled')
  })

  test('has to say which state', async () => {
    const { set, page, customer } = await open()
    assert.equal((await set('asleep')).status, 422)
    assert.equal((await page.put(`/customers/${customer.token}/state.json`, { customer: {} })).status, 422)
  })
})

test('an app cannot change the state of a customer', async () => {
  const { shop, customer } = await open()
  const answer = await shop.put(`/api/customers/${customer.token}.json`, { customer: { state: 'disabled' } })
  assert.deepEqual([answer.status, answer.body.customer.state], [200, 'enabled'])
})
