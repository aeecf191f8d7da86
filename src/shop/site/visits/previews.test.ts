import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { deleteOldPreviews } from '#catalog/theme-settings/previews/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCategory } from '#test/factories.ts'
import { type Answer, useService } from '#test/harness.ts'

const service = useService()

const HOUR_SECONDS = 60 * 60
const html = { accept: 'text/html' }

async function aShop() {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const preview = (ThemeSetting: object) => shop.post(`/api/themesettings/${id}/previews.json`, { ThemeSetting })
  const open = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    service.call('GET', path, { headers: { ...html, ...headers } })
  return { shop, id, preview, open }
}

const pathOf = (answer: Answer): string => {
  assert.equal(answer.status, 201, answer.text)
  return new URL(answer.body.preview.url).pathname
}

describe('the preview of a shop', () => {
  test('shows changes on every page while the shop stays as it is', async () => {
    const { shop, id, preview, open } = await aShop()
    const below = await aCategory(shop, { title: 'Shorts', enabled: true })
    const path = pathOf(
      await preview({
        accent_color: '#7b2d72',
        menu: [{ category_id: below.id }, { page: 'about' }],
        locales: [{ language_id: 'en', shop_name: 'Kino Nord', about: '<p>Two people and a <b>dog</b>.</p>' }],
      }),
    )
    const home = await open(path)
    assert.equal(home.status, 200)
    assert.match(home.text, /Kino Nord/)
    assert.match(home.text, /accents\/7b2d72\.css/)
    assert.match(home.text, new RegExp(`href="${path}categories/${below.id}-shorts"`), 'links stay in the preview')
    assert.match((await open(`${path}pages/about`)).text, /Two people and a <b>dog<\/b>/)
    assert.match((await open(`${path}categories/${below.id}`)).text, /Kino Nord/)
    const own = await open(`/shop/${id}/`)
    assert.doesNotMatch(own.text, /Kino Nord|7b2d72/)
    assert.equal((await open(`/shop/${id}/pages/about`)).status, 404)
    assert.equal((await shop.get(`/api/themesettings/${id}.json`)).body.ThemeSetting.accent_color, '')
  })

  test('may be framed by the service alone, is in no cache, and is not counted', async () => {
    const { preview, open } = await aShop()
    const { headers } = await open(pathOf(await preview({})))
    assert.match(String(headers.get('content-security-policy')), /frame-ancestors 'self'/)
    assert.equal(headers.get('cache-control'), 'private, no-store')
  })

  test('shows a shop that is closed', async () => {
    const { shop, id, preview, open } = await aShop()
    await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_offline: true } })
    assert.equal((await open(`/shop/${id}/`)).status, 503)
    assert.equal((await open(pathOf(await preview({})))).status, 200)
  })

  test('has the logo that was uploaded for it', async () => {
    const { shop, preview, open } = await aShop()
    const png = await sharp({ create: { width: 160, height: 160, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const headers = { 'content-type': 'image/png' }
    const { body } = await service.call('POST', '/api/pictures.json', { token: shop.token, body: png, headers })
    const home = await open(pathOf(await preview({ shop_icon: body.picture.url })))
    const [, icon = ''] = /<a class="brand"[^>]*><img src="([^"]+)"/.exec(home.text) ?? []
    assert.equal((await service.call('GET', icon)).status, 200)
  })

  test('takes no form', async () => {
    const { preview } = await aShop()
    const path = pathOf(await preview({}))
    const headers = { ...html, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
    const { status, text } = await service.call('POST', `${path}newsletter`, { headers, body: 'email=a%40example.com' })
    assert.equal(status, 403)
    assert.match(text, /preview/)
  })

  test('is refused as the change would be, and for the shop of another company', async () => {
    const { id, preview } = await aShop()
    const { status, body } = await preview({
      accent_color: 'red',
      home_sections: [{ kind: 'category', category_id: 1 }],
    })
    assert.equal(status, 422)
    assert.ok('accent_color' in body.errors, JSON.stringify(body.errors))
    const other = await service.openShop()
    const refused = await other.post(`/api/themesettings/${id}/previews.json`, { ThemeSetting: {} })
    assert.equal(refused.status, 404)
  })

  test('is found with its token alone, in its own shop, for an hour', async () => {
    const { id, preview, open } = await aShop()
    const { id: otherId } = await aShop()
    const path = pathOf(await preview({}))
    const [, token = ''] = path.split('~')
    const wrong = [`/shop/${id}~/`, `/shop/${id}~x/`, `/shop/${otherId}~${token}`, `/shop/${id}~${token.slice(0, -2)}/`]
    for (const address of wrong) assert.equal((await open(address)).status, 404, address)
    assert.equal((await open(path)).status, 200)
    service.clock.advance(HOUR_SECONDS)
    assert.equal((await open(path)).status, 404)
    assert.ok((await inTransaction(service.db, (tx) => deleteOldPreviews(tx, service.clock.now()))) > 0)
  })

  test('is one of the last ten of its shop', async () => {
    const { preview, open } = await aShop()
    const paths: string[] = []
    for (let count = 0; count < 11; count++) paths.push(pathOf(await preview({})))
    assert.deepEqual(
      await Promise.all([paths[0], paths.at(-1)].map(async (path) => (await open(path ?? '')).status)),
      [404, 200],
    )
  })
})
