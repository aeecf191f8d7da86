import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatsOf } from '#shop/themes/formats.rules.ts'
import { usePictureHost } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { enterShop, ownedContent } from '#test/owned-content.ts'
import { useShopPages } from '#test/shop-pages.ts'

const service = useService()
const pages = useShopPages(service)
const pictures = usePictureHost()

test('the page of a program shows its picture, its key to copy, and files that people can tell apart', async () => {
  const { shop, base } = pages
  const product = { title: 'Nordlys', product_type: 4, images: [{ src: pictures.url('/nordlys.png') }] }
  const files = [
    { bytes: Buffer.alloc(212_000, 7), name: 'Nordlys_3.2-windows.run', role: 'extra' },
    { bytes: Buffer.alloc(1_840_000, 8), name: 'Nordlys_3.2-macos.dmg', role: 'extra' },
  ]
  const { customer, id } = await ownedContent(service, shop, { files, product })
  await service.runJobs()
  const { text } = await (await enterShop(service, shop, base, customer)).get(`${base}/my-content/${id}`)
  assert.match(text, /<span class="art [^"]+"><img src="\/pictures\//)
  assert.match(text, /<code id="key">[A-Z0-9-]{10,}<\/code><button type="button"[^>]* data-copy="key"/)
  assert.match(text, /<b dir="auto">Nordlys 3\.2 windows<\/b><span class="small muted">RUN, 212\skB</)
  assert.match(text, /<b dir="auto">Nordlys 3\.2 macos<\/b><span class="small muted">DMG, 1\.8\sMB</)
})

test('sizes of files are written as the reader writes them', () => {
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
  assert.deepEqual(
    [0, 999, 1500, 212_000_000, 4_200_000_000].map((count) => plain(formatsOf('en').bytes(count))),
    ['0 byte', '999 byte', '1.5 kB', '212 MB', '4.2 GB'],
  )
  assert.equal(plain(formatsOf('de').bytes(4_200_000_000)), '4,2 GB')
  assert.equal(formatsOf('en').bytes(Number.NaN), '')
})
