import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { run, serve, temporaryFolder, until } from './program.ts'

const LISTS = ['products', 'categories', 'licenses', 'prices', 'customers', 'orders', 'themesettings']

async function readAll(url: string, token: string): Promise<Record<string, string>> {
  const texts = LISTS.map(async (list) => {
    const answer = await fetch(`${url}/api/${list}.json`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 200, list)
    return [list, (await answer.text()).replaceAll(url, '')] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}

/** The files of the demo shop are added after the start, those of its first program last. */
function untilDemoIsWhole(url: string, token: string): Promise<void> {
  return until('the demo shop has its files', async () => {
    const fields = 'id,product_type,published,content_files'
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/products.json?fields=${fields}`, { headers })
    const { products }: { products: { product_type: number; published: boolean; content_files: unknown[] }[] } =
      JSON.parse(await answer.text())
    const program = products.find(({ product_type, published }) => product_type === 4 && published)
    return program !== undefined && program.content_files.length > 0
  })
}

describe('a backup of the embedded database', () => {
  test('is made while the shop sells, and restores to a shop that answers the same', async () => {
    const [data, room] = [await temporaryFolder(), await temporaryFolder()]
    const settings = { LICET_DATA: data }
    const service = await serve(settings)
    const scopes = 'orders,products,customers,themes'
    const { out } = await run(['token', '--company', '1000', '--scope', scopes], settings)
    const token = out.trim()
    await untilDemoIsWhole(service.url, token)
    const { products } = JSON.parse((await readAll(service.url, token)).products ?? '')
    const film = products.find(
      ({ price_license_binding: bindings }: { price_license_binding: unknown[] }) => bindings[0],
    )
    let isSelling = true
    let sold = 0
    const sell = async () => {
      for (; isSelling; sold += 1) {
        const order = {
          email: `buyer${sold}@example.com`,
          customer: {
            email: `buyer${sold}@example.com`,
            password: 'correct horse',
            first_name: 'Jane',
            last_name: 'Roe',
          },
          line_items: [{ product_id: film.product_id, license_id: film.price_license_binding[0].license_id }],
        }
        const answer = await fetch(`${service.url}/api/orders.json`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ order }),
        })
        assert.equal(answer.status, 201, await answer.text())
      }
    }
    const selling = sell()
    const folder = join(room, 'backup')
    const backup = await run(['backup', folder, '--json'], settings)
    isSelling = false
    await selling
    assert.equal(backup.code, 0, backup.err)
    assert.ok(sold > 0)
    const { tables, rows, has_secret } = JSON.parse(backup.out)
    assert.ok(tables > 30 && rows > 100 && has_secret, backup.out)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    const all = await readAll(service.url, token)
    service.kill('SIGTERM')
    await service.ended

    const other = { LICET_DATA: join(room, 'data') }
    const restored = await run(['restore', folder], other)
    assert.equal(restored.code, 0, restored.err)
    const second = await serve(other)
    const again = await readAll(second.url, token)
    // The orders of the backup are the first of those that were sold; an order is there with its customer or not at all.
    const [orders, customers] = [JSON.parse(again.orders ?? '').orders, JSON.parse(again.customers ?? '').customers]
    const { orders: allOrders } = JSON.parse(all.orders ?? '')
    assert.deepEqual(
      orders.map(({ id }: { id: number }) => id),
      allOrders.slice(0, orders.length).map(({ id }: { id: number }) => id),
    )
    const buyers = customers.filter(({ email }: { email: string }) => email.startsWith('buyer'))
    assert.equal(buyers.length, orders.filter(({ email }: { email: string }) => email.startsWith('buyer')).length)
    for (const list of ['products', 'categories', 'licenses', 'prices', 'themesettings'])
      assert.equal(again[list], all[list], list)
    const doctor = await run(['doctor'], other)
    assert.equal(doctor.code, 0, doctor.out)
    second.kill('SIGTERM')
    await second.ended
  })
})
