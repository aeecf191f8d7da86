import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFirefox, withoutFirefox } from '../firefox.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../media.ts'
import { loginPath, ownedContent } from '../owned-content.ts'
import { refund } from '../sales.ts'
import { baseOf } from '../shop-pages.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })

test('a protected film plays in Firefox, and stops with the reason after a refund', {
  // Where everything has to pass, a browser that is missing is a failure.
  skip: process.env.CI === 'true' ? false : withoutFirefox,
}, async (t) => {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const base = await baseOf(shop)
  const files = [{ bytes: await aFilm({ times: 2, languages: ['eng', 'deu'] }), name: 'film.mp4' }]
  const terms = { drm: 1, allow_play: 1 }
  const { id, customer } = await ownedContent(service, shop, { files, terms, product: { drm_protected: true } })
  await service.runJobs()
  const page = await openFirefox()
  try {
    await page.goto(new URL(await loginPath(service, shop, base, customer), service.url).href)
    await page.goto(`${service.url}${base}/my-content/${id}/play`)
    if (!(await page.evaluate<boolean>(`MediaSource.isTypeSupported('video/mp4; codecs="avc1.4d4032"')`)))
      return process.env.CI === 'true'
        ? assert.fail('this Firefox plays no H.264: install libavcodec-extra')
        : t.skip('this Firefox plays no H.264 (libavcodec)')
    await page.evaluate(`document.querySelector('button.play').click()`)
    await page.until(`document.querySelector('video').currentTime > 0.5`)
    assert.ok((await page.evaluate<number>(`document.querySelector('video').videoWidth`)) > 0, 'there is no picture')
    assert.equal(await page.evaluate(`document.querySelectorAll('[data-languages] input').length`), 2)
    await page.evaluate(`document.querySelector('video').currentTime = 30`)
    await page.until(`document.querySelector('video').currentTime > 30.3`)
    await refund(shop, (await shop.get('/api/orders.json')).body.orders[0].id)
    const start = Date.now()
    await page.until(`document.querySelector('[data-stopped]:not([hidden])')`, 30_000)
    assert.ok(Date.now() - start <= 20_000, `it went on for ${Date.now() - start} ms`)
    assert.match(await page.evaluate<string>(`document.querySelector('[data-why]').textContent`), /refunded/)
  } finally {
    await page.close()
  }
})
