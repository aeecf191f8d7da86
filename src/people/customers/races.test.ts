import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer, shareCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'

const service = useService()

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('at the same time', () => {
  test('twenty POSTs with one email address make one customer', async () => {
    const shop = await service.openShop()
    const email = anEmail()
    const answers = await times(20, (index) =>
      shop.post('/api/customers.json', {
        customer: { email: index % 2 ? email : email.toUpperCase(), password: CUSTOMER_PASSWORD },
      }),
    )
    const [made, ...others] = statuses(answers)
    assert.equal(made, 201)
    assert.ok(
      others.every((status) => status === 422 || status === 429),
      String(others),
    )
    assert.equal((await shop.get('/api/customers.json')).body.customers.length, 1)
    assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 1 })
  })

  test('POSTs of several companies with one email address make one account', async () => {
    const shops = await times(4, () => service.openShop())
    const customer = { email: anEmail(), password: CUSTOMER_PASSWORD }
    const answers = await Promise.all(shops.map((shop) => shop.post('/api/customers.json', { customer })))
    // A company that came in between has to try again, and then finds the account.
    assert.ok(
      statuses(answers).every((status) => [201, 409].includes(status)),
      String(statuses(answers)),
    )
    assert.ok(answers.some(({ status }) => status === 201))
    for (const [index, shop] of shops.entries())
      if (answers[index]!.status === 409)
        assert.equal((await shop.post('/api/customers.json', { customer })).status, 201)
    const seen = await Promise.all(shops.map(async (shop) => (await shop.get('/api/customers.json')).body.customers))
    assert.equal(new Set(seen.flat().map(({ token }: Wire) => token)).size, 1)
    assert.equal(seen.flat().length, 4)
  })

  test('PUTs of two customers take one email address once', async () => {
    const shop = await service.openShop()
    const customers = await times(2, () => aCustomer(shop))
    const email = anEmail()
    const answers = await Promise.all(
      customers.map(({ token }) => shop.put(`/api/customers/${token}.json`, { customer: { email } })),
    )
    assert.deepEqual(statuses(answers), [200, 422])
  })

  test('two requested defaults leave one', async () => {
    const shop = await service.openShop()
    const cities = Array.from({ length: 6 }, (_, index) => ({ city: `City ${index}` }))
    const { token, addresses } = await aCustomer(shop, { addresses: cities })
    const answers = await Promise.all(
      addresses.flatMap(({ id }: Wire) => [
        shop.put(`/api/customers/${token}/addresses/${id}/default.json`),
        shop.put(`/api/customers/${token}/addresses/${id}.json`, { address: { default: true } }),
      ]),
    )
    assert.deepEqual(new Set(statuses(answers)), new Set([200]))
    const after = await readCustomer(shop, token)
    assert.equal(after.addresses.filter((address: Wire) => address.default).length, 1)
  })

  test('addresses that are added and removed are complete in the end, for each of two companies', async () => {
    const shops = await times(2, () => service.openShop())
    const addresses = Array(10).fill({ city: 'Old' })
    const customer = await aCustomer(shops[0]!, { addresses })
    const shared = await shareCustomer(shops[1]!, customer, { addresses })
    const path = `/api/customers/${customer.token}/addresses`
    const replace = (shop: Shop, known: Wire) =>
      known.addresses.flatMap(({ id }: Wire) => [
        shop.delete(`${path}/${id}.json`),
        shop.post(`${path}.json`, { address: { city: 'New' } }),
      ])
    const answers = await Promise.all([...replace(shops[0]!, customer), ...replace(shops[1]!, shared)])
    assert.deepEqual(new Set(statuses(answers)), new Set([200, 201]))
    for (const shop of shops) {
      const after = await readCustomer(shop, customer.token)
      assert.deepEqual(
        after.addresses.map(({ city }: Wire) => city),
        Array(10).fill('New'),
      )
      assert.equal(after.addresses.filter((address: Wire) => address.default).length, 1)
    }
  })

  test('changes and deletions leave nothing incomplete', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shops = await times(2, () => service.openShop())
      const customer = await aCustomer(shops[0]!)
      await shareCustomer(shops[1]!, customer)
      const path = `/api/customers/${customer.token}.json`
      const answers = await Promise.all([
        shops[0]!.put(path, { customer: { first_name: 'Late' } }),
        shops[0]!.delete(path),
        shops[1]!.put(path, { customer: { last_name: 'Late' } }),
        shops[1]!.delete(path),
        shops[0]!.post(path.replace('.json', '/addresses.json'), { address: { city: 'Late' } }),
      ])
      assert.ok(
        statuses(answers).every((status) => [200, 201, 404].includes(status)),
        String(statuses(answers)),
      )
      const left = await service.db
        .selectFrom('customers')
        .leftJoin('customer_relations', 'customer_id', 'customers.id')
        .select('customers.id')
        .where('customers.id', '=', customer.id)
        .execute()
      assert.deepEqual(left, [])
      for (const shop of shops) assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 0 })
    }
  })

  test('a deletion and a POST of another company leave a customer whom the other company knows', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shops = await times(2, () => service.openShop())
      const { token, email } = await aCustomer(shops[0]!)
      const customer = { email, password: CUSTOMER_PASSWORD }
      const [removed, made] = await Promise.all([
        shops[0]!.delete(`/api/customers/${token}.json`),
        shops[1]!.post('/api/customers.json', { customer }),
      ])
      assert.equal(removed!.status, 200)
      assert.ok([201, 409].includes(made!.status), made!.text)
      if (made!.status === 409) assert.equal((await shops[1]!.post('/api/customers.json', { customer })).status, 201)
      const { customers } = (await shops[1]!.get('/api/customers.json')).body
      assert.deepEqual(
        customers.map((entry: Wire) => entry.email),
        [email],
      )
    }
  })
})
