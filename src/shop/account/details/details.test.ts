import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, readCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { assertPrivatePage, useShopPages } from '#test/shop-pages.ts'

const service = useService()
const pages = useShopPages(service)

const HOME = { first_name: 'Marta', last_name: 'Keller', address1: 'Lindenstraße 8', zip: '20099', city: 'Hamburg' }

describe('a customer', () => {
  test('changes the name', async () => {
    const { email, token } = await aCustomer(pages.shop)
    const visitor = await pages.signIn(email)
    const path = `${pages.base}/account/name`
    assertPrivatePage(await visitor.get(path), 200, /Change name/)
    const refused = await visitor.submit(path, { first_name: ' ', last_name: 'x'.repeat(101) })
    assertPrivatePage(refused, 422, /Change name/)
    assert.match(refused.text, /id="first_name-error">Please fill this in\./)
    assert.match(refused.text, /id="last_name-error">This is too long\./)
    const done = await visitor.submit(path, { first_name: 'Marta', last_name: 'Keller' })
    assert.match((await visitor.follow(done)).text, /Your details are saved\.[\s\S]*Marta Keller/)
    const { first_name, last_name } = await readCustomer(pages.shop, token)
    assert.deepEqual([first_name, last_name], ['Marta', 'Keller'])
  })

  test('adds, changes and removes addresses, and chooses the default', async () => {
    const { email, token } = await aCustomer(pages.shop, { addresses: [{ ...HOME, city: 'Bremen', country: 'DE' }] })
    const visitor = await pages.signIn(email)
    const path = (id: number | string) => `${pages.base}/account/addresses/${id}`
    const cities = async () =>
      (await readCustomer(pages.shop, token)).addresses.map(
        (address: { city: string; default: boolean }) => `${address.city}${address.default ? ' *' : ''}`,
      )
    await visitor.get(path('new'))
    const refused = await visitor.submit(path('new'), { ...HOME, city: '', country: 'XX' })
    assertPrivatePage(refused, 422, /New address/)
    assert.match(refused.text, /id="city-error"/)
    assert.match(refused.text, /id="country-error"/)
    await visitor.submit(path('new'), { ...HOME, country: 'AT', default: '1' })
    assert.deepEqual(await cities(), ['Bremen', 'Hamburg *'])
    const { addresses } = await readCustomer(pages.shop, token)
    const [bremen, hamburg] = addresses.map(({ id }: { id: number }) => id)
    assert.match((await visitor.get(`${pages.base}/account`)).text, /Lindenstraße 8<br>20099 Hamburg<br>Austria/)
    await visitor.post(path(bremen), { ...HOME, city: 'Kiel', country: 'DE' })
    assert.deepEqual(await cities(), ['Kiel', 'Hamburg *'])
    await visitor.post(path(hamburg), { remove: '1' })
    assert.deepEqual(await cities(), ['Kiel *'])
  })

  test('does not see the addresses of others', async () => {
    const other = await aCustomer(pages.shop, { addresses: [{ ...HOME, country: 'DE' }] })
    const [{ id }] = (await readCustomer(pages.shop, other.token)).addresses
    const visitor = await pages.signIn((await aCustomer(pages.shop)).email)
    const path = `${pages.base}/account/addresses/${id}`
    assert.equal((await visitor.get(path)).status, 404)
    assert.equal((await visitor.post(path, { ...HOME, country: 'DE' })).status, 404)
    assert.equal((await visitor.post(path, { remove: '1' })).status, 404)
    assert.equal((await pages.comeIn().get(path)).status, 303)
  })
})
