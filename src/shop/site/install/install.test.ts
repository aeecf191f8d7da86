import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { usePictureHost } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { visit } from '#test/visitor.ts'

const service = useService()
const host = usePictureHost()

async function open(attributes: object) {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const change = async (ThemeSetting: object) => {
    const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
    assert.equal(answer.status, 200, answer.text)
    await service.runJobs()
  }
  await change(attributes)
  return { shop, id, base: `/shop/${id}`, change, guest: visit(service.url, { 'accept-language': 'en' }) }
}

async function pixelOf(path: string) {
  const answer = await fetch(`${service.url}${path}`)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
  const image = sharp(Buffer.from(await answer.arrayBuffer()))
  const { width, height, format } = await image.metadata()
  const { data } = await image
    .removeAlpha()
    .extract({ left: 2, top: 2, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width, height, format, colour: [...data] }
}

test('a shop can be installed as an app, with its name, its colour and its initial', async () => {
  const locales = [{ language_id: 'en', shop_name: 'Kino' }]
  const { base, guest, change } = await open({ accent_color: '#7b2d72', locales })
  const { text, headers } = await guest.get(`${base}/manifest.webmanifest`)
  assert.match(headers.get('content-type') ?? '', /^application\/manifest\+json/)
  const manifest = JSON.parse(text)
  const { name, start_url, scope, display, theme_color, icons } = manifest
  assert.deepEqual([name, start_url, scope, display], ['Kino', `${base}/my-content`, `${base}/`, 'standalone'])
  assert.equal(theme_color, '#7b2d72')
  for (const { src, sizes } of icons) {
    const { width, height, colour } = await pixelOf(src)
    assert.deepEqual([`${width}x${height}`, colour], [sizes, [0x7b, 0x2d, 0x72]])
  }
  assert.equal((await guest.get(`${base}/icons/100000.png`)).status, 404)
  for (const shop_name of ['\u200b\u200b', '\u202eKino']) {
    await change({ locales: [{ language_id: 'en', shop_name }] })
    assert.equal((await guest.get(`${base}/icons/192.png`)).status, 200)
  }
  await change({ locales })
  const page = await guest.get(`${base}/`)
  assert.ok(page.text.includes(`<link rel="manifest" href="${base}/manifest.webmanifest">`))
  const [, drawing = ''] = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(page.text) ?? []
  assert.match(decodeURIComponent(drawing), /fill="#7b2d72"\/>.*fill="#ffffff">K</)
  assert.ok(page.text.includes(`<link rel="apple-touch-icon" href="${base}/icons/180.png">`))
  assert.match(page.headers.get('content-security-policy') ?? '', /manifest-src 'self'/)
})

test('a shop shows its own copy of its icon, until the owner removes it', async () => {
  const { base, guest, change, shop, id } = await open({ shop_icon: host.url('/icon.png') })
  const { text } = await guest.get(`${base}/`)
  const [, src = ''] = /<img src="(\/pictures\/[^"]+_160\.webp)" alt="" width="32"/.exec(text) ?? []
  assert.ok(text.includes(`<link rel="icon" href="${src}">`), text)
  assert.equal((await fetch(`${service.url}${src}`)).status, 200)
  assert.doesNotMatch(text, /class="tile"/)
  const { width, height, colour } = await pixelOf(`${base}/icons/192.png`)
  assert.deepEqual([width, height, colour], [192, 192, [0, 128, 128]])
  // Sending the same address again fetches nothing.
  const before = host.requests.length
  await change({ shop_icon: host.url('/icon.png') })
  assert.equal(host.requests.length, before)
  await change({ shop_icon: '' })
  assert.match((await guest.get(`${base}/`)).text, /class="tile"/)
  assert.equal((await fetch(`${service.url}${src.replace('_160.webp', '.png')}`)).status, 404)
  await change({ shop_icon: host.url('/other.png') })
  assert.equal((await shop.delete(`/api/themesettings/${id}.json`)).status, 200)
})

test('the worker of a shop changes with what it keeps, and its page is that of nobody', async () => {
  const { base, guest, change } = await open({ accent_color: '#7b2d72' })
  const script = await guest.get(`${base}/sw.js`)
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal(script.headers.get('cache-control'), 'no-cache')
  assert.match(script.text, new RegExp(`const BASE = '${base}'`))
  assert.equal((await guest.get(`${base}/sw.js`)).text, script.text)
  await change({ accent_color: '#0b6b57' })
  assert.notEqual((await guest.get(`${base}/sw.js`)).text, script.text)
  assert.match((await guest.get(`${base}/no-connection`)).text, /<h1>You are offline<\/h1>/)
  assert.doesNotMatch((await guest.get(`${base}/`)).text, /install\.js/)
})

test('the service has an icon of its own outside its shops', async () => {
  const { width, height, format } = await pixelOf('/favicon.ico')
  assert.deepEqual([width, height, format], [48, 48, 'png'])
})
