import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'

const service = useService()
const pages = useShopPages(service)

test('customers save products for later, put them into the cart, and remove them', async () => {
  const film = await aFilm(service, pages.shop, 1000, { title: 'Kelp' })
  const stranger = await service.openShop()
  const other = await aFilm(service, stranger, 1000, { title: 'Foreign' })
  const list = `${pages.base}/account/wish-list`
  const guest = pages.comeIn()
  await guest.get(`${pages.base}/products/${film.id}`)
  const sent = await guest.submit(list, { product: String(film.id) })
  const back = encodeURIComponent(`${pages.base}/products/${film.id}`)
  assert.deepEqual([sent.status, sent.location], [303, `${pages.base}/login?return_to=${back}`])

  const { email, token } = await aCustomer(pages.shop)
  const visitor = await pages.signIn(email)
  const titles = async () =>
    [...(await visitor.get(list)).text.matchAll(/<span class="t">([^<]*)/g)].map(([, title]) => title)
  assert.match((await visitor.get(`${pages.base}/products/${film.id}`)).text, /Save for later/)
  for (const product of [film.id, film.id, other.id]) await visitor.post(list, { product: String(product) })
  assert.deepEqual(await titles(), ['Kelp'])
  assert.match((await visitor.get(list)).text, /Add to cart/)
  assert.equal((await visitor.post(list, { product: 'x' })).status, 404)
  await visitor.get(list)
  await visitor.post(`${list}/remove`, { product: String(film.id) })
  assert.deepEqual(await titles(), [])
  await visitor.post(list, { product: String(film.id) })
  assert.equal((await pages.shop.delete(`/api/customers/${token}.json`)).status, 200)
  assert.deepEqual(await service.db.selectFrom('wishes').selectAll().execute(), [])
})
