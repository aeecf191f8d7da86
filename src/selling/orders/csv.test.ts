import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, someGoods } from '#test/orders.ts'

const service = useService()

test('orders are read as a file for a spreadsheet: those that fit the filters, and no formula of a stranger', async () => {
  const shop = await service.openShop()
  const film = await aFilm(service, shop, 1190, { title: '=HYPERLINK("https://evil.example")' })
  const mug = await someGoods(service, shop, 5, { title: 'Mug; blue, large' })
  const ines = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt, PhD' })
  const first = await anOrder(shop, ines, [film, { ...mug, quantity: 2, license_id: undefined }])
  const second = await anOrder(shop, await aBuyer(shop, 'AT'), [film])
  assert.equal((await shop.delete(`/api/orders/${second.id}.json`)).status, 200)
  const { status, headers, text } = await shop.get('/api/orders.json?format=csv')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(headers.get('content-disposition') ?? '', /filename="orders\.csv"/)
  const [heading = '', line = '', other = '', rest] = text.split('\r\n')
  assert.deepEqual([heading.split(',').slice(0, 4), rest], [['id', 'number', 'order_number', 'created_at'], ''])
  assert.ok(line.startsWith(`${first.id},${first.name},`), line)
  assert.match(
    line,
    /,Ines,"Brandt, PhD",DE,"1 × =HYPERLINK\(""https:\/\/evil\.example""\) - Buy; 2 × Mug; blue, large",EUR,/,
  )
  assert.match(line, /,0\.00,9\.50,59\.50,paid,partial,Manual,,false$/)
  assert.ok(other.startsWith(`${second.id},`), other)
  const open = await shop.get('/api/orders.json?format=csv&status=open&limit=1')
  assert.equal(open.text.split('\r\n').length, 3)
})
