import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { useBrowser } from '../browser.ts'
import { aThemeSetting } from '../factories.ts'
import { useService } from '../harness.ts'
import { enterShop, ownedContent } from '../owned-content.ts'

const service = useService()
const browser = useBrowser()

/** A site around a frame, which writes down what the frame tells. */
let site: Server
before(async () => {
  site = createServer((request, response) => {
    const frame = new URL(request.url ?? '/', 'http://x').searchParams.get('frame') ?? ''
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Portal</title>
      <script>addEventListener('message', ({ data, origin }) => (window.told ??= []).push([origin, ...data]))</script>
      <iframe src="${frame}" width="360" height="200"></iframe>`)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
})
after(() => void site.close())

const portal = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

describe('a shop in a frame of another site', () => {
  test('is My Content without header and footer, and stays so from page to page', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop, { frame_origins: [portal()] })
    const base = `/shop/${id}`
    const owned = await ownedContent(service, shop, { files: [] })
    const framed = await enterShop(service, shop, base, owned.customer, { 'sec-fetch-dest': 'iframe' })
    const home = await framed.get(`${base}/?embedded=1`)
    assert.equal(home.location, `${base}/my-content?embedded=1`)
    for (const path of ['/my-content?embedded=1', `/my-content/${owned.id}`, '/my-content']) {
      const { text } = await framed.get(`${base}${path}`)
      assert.match(text, /<main id="main">/)
      assert.doesNotMatch(text, /<header|<footer/, path)
      assert.match(text, new RegExp(`embedded\\.js[^>]* data-origins="${portal()}"`))
    }
    const outside = await enterShop(service, shop, base, owned.customer)
    assert.match((await outside.get(`${base}/my-content`)).text, /<header[\s\S]*<footer/)
  })

  test('tells the site how high it is whenever that changes, and no other site', async () => {
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop, { frame_origins: [portal()] })
    const frame = `${service.url.replace('127.0.0.1', 'localhost')}/shop/${id}/login?embedded=1`
    const page = await browser.newPage()
    await page.goto(`${portal()}/?frame=${encodeURIComponent(frame)}`)
    await page.waitForFunction('window.told?.length > 0')
    const [origin, what, pixels] = await page.evaluate<[string, string, number]>('told.at(-1)')
    assert.deepEqual([origin, what], [new URL(frame).origin, 'setHeight'])
    assert.ok(pixels > 200, String(pixels))
    await page.frames()[1]?.evaluate(`document.querySelector('main').append(document.createElement('hr'))
      document.querySelector('hr').style.height = '500px'`)
    await page.waitForFunction(`told.at(-1)[2] >= ${pixels} + 500`)
  })
})
