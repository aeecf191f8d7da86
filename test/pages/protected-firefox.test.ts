import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFirefox, withoutFirefox } from '../firefox.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../media.ts'
import { loginPath, ownedContent } from '../owned-content.ts'
import { refund } from '../sales.ts'
import { baseOf } from '../shop-pages.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })

// The second license asks for output protection, so the film is decrypted apart from the page.
for (const [how, more, address] of [
  ['segments', {}, '.key'],
  ['samples', { copy_prot_level_digital: 100 }, '/license'],
] as const)
  test(`a protected film plays in Firefox from encrypted ${how}, and stops with the reason after a refund`, {
    // Where everything has to pass, a browser that is missing is a failure.
    skip: process.env.CI === 'true' ? false : withoutFirefox,
  }, async (t) => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const base = await baseOf(shop)
    const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:59,000\nTwo ships at sea.\n')
    const files = [
      { bytes: await aFilm({ times: 2, languages: ['eng', 'deu'] }), name: 'film.mp4' },
      { bytes: subtitles, name: 'film.en.srt', role: 'subtitles', language: 'en' },
    ]
    const terms = { drm: 1, allow_play: 1, ...more }
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
      const asked = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('${address}'))`
      assert.ok(await page.evaluate(asked), `no key was asked for at ${address}`)
      assert.equal(await page.evaluate(`document.querySelectorAll('[data-languages] input').length`), 2)
      await page.evaluate(`document.querySelector('input[name="subtitles"][value="0"]').click()`)
      await page.until(`document.querySelector('.p-sub').textContent.includes('Two ships at sea.')`)
      await page.evaluate(`document.querySelector('video').currentTime = 30`)
      await page.until(`document.querySelector('video').currentTime > 30.3`)
      await refund(shop, (await shop.get('/api/orders.json')).body.orders[0].id)
      const start = Date.now()
      const why = '[data-stopped]:not([hidden]) [data-why], .p-refused'
      await page.until(`document.querySelector('${why}')`, 30_000)
      assert.ok(Date.now() - start <= 20_000, `it went on for ${Date.now() - start} ms`)
      assert.match(await page.evaluate<string>(`document.querySelector('${why}').textContent`), /refunded/)
    } finally {
      await page.close()
    }
  })
