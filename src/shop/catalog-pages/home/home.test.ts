import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCategory, usePictureHost, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'

const service = useService()
const host = usePictureHost()

type Front = {
  shop: Shop
  id: number
  change: (setting: object) => Promise<Answer>
  open: (language?: string) => Promise<string>
}

async function aFront(): Promise<Front> {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  return {
    shop,
    id,
    change: (ThemeSetting) => shop.put(`/api/themesettings/${id}.json`, { ThemeSetting }),
    open: async (language = 'en') => {
      const headers = { accept: 'text/html', 'accept-language': language }
      const { status, text } = await service.call('GET', `/shop/${id}/`, { headers })
      assert.equal(status, 200, text)
      return text
    },
  }
}

/** The headings of the shelves, each with the titles below it, in the order of the page. */
function shelvesIn(html: string): string[][] {
  const shelves = html.split('<section class="row"').slice(1)
  return shelves.map((shelf) =>
    [...shelf.matchAll(/<(?:h2|span class="t")[^>]*>([^<]+)/g)].map(([, title = '']) => title.trim()),
  )
}

const menuIn = (html: string) =>
  [...(/<nav class="kinds".*?<\/nav>/s.exec(html)?.[0] ?? '').matchAll(/<a href="([^"]*)"[^>]*>([^<]*)/g)].map(
    ([, url = '', title = '']) => [title, url.replace(/^\/shop\/\d+/, '')],
  )

const aShelf = (shop: Shop, title: string) => aCategory(shop, { title, enabled: true })

/** A film in a category, if one is given. */
const aTitle = (shop: Shop, title: string, category?: Wire) =>
  aFilm(service, shop, 0, { title, ...(category === undefined ? {} : { categories: [{ category_id: category.id }] }) })

describe('the home page that an owner has arranged', () => {
  test('shows categories and chosen products in its order, under titles in the language of the visitor', async () => {
    const { shop, change, open } = await aFront()
    const drama = await aShelf(shop, 'Drama')
    const sea = await aShelf(shop, 'Sea')
    const salt = await aTitle(shop, 'Salt House', drama)
    await aTitle(shop, 'Polar Night', sea)
    const foghorn = await aTitle(shop, 'Foghorn')
    const answer = await change({
      locales: [{ language_id: 'de', shop_name: 'Kino' }],
      home_sections: [
        { kind: 'category', category_id: sea.id },
        {
          kind: 'products',
          product_ids: [foghorn.id, salt.id],
          locales: [
            { language_id: 'en', title: 'Our favourites' },
            { language_id: 'de', title: 'Was wir lieben' },
          ],
        },
        { kind: 'category', category_id: drama.id, hidden: true },
        { kind: 'newest' },
      ],
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(shelvesIn(await open()), [
      ['Sea', 'Polar Night'],
      ['Our favourites', 'Foghorn', 'Salt House'],
      ['New in the shop', 'Foghorn', 'Polar Night', 'Salt House'],
    ])
    assert.ok((await open('de')).includes('Was wir lieben'))
  })

  test('leaves out a section whose category or products are gone, and can still be saved as it was read', async () => {
    const { shop, change, open } = await aFront()
    const drama = await aShelf(shop, 'Drama')
    const salt = await aTitle(shop, 'Salt House', drama)
    await aTitle(shop, 'Foghorn')
    const sections = [
      { kind: 'category', category_id: drama.id },
      { kind: 'products', product_ids: [salt.id], locales: [{ language_id: 'en', title: 'Chosen' }] },
    ]
    assert.equal((await change({ home_sections: sections })).status, 200)
    assert.equal((await shop.delete(`/api/categories/${drama.id}.json`)).status, 200)
    assert.equal((await shop.put(`/api/products/${salt.id}.json`, { product: { published: false } })).status, 200)
    assert.deepEqual(shelvesIn(await open()), [])
    assert.equal((await change({ home_sections: sections })).status, 200, 'the references were there before')
    assert.equal((await change({ home_sections: null })).status, 200)
    assert.deepEqual(shelvesIn(await open()), [['New in the shop', 'Foghorn']])
  })

  test('takes no category and no product of another company', async () => {
    const { change } = await aFront()
    const other = await service.openShop()
    const category = await aCategory(other, { title: 'Theirs' })
    const film = await aFilm(service, other)
    const { status, body } = await change({
      home_sections: [
        { kind: 'category', category_id: category.id },
        { kind: 'hero', product_ids: [film.id] },
      ],
      menu: [{ category_id: category.id }],
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors).sort(), [
      'home_sections[0].category_id',
      'home_sections[1].product_ids[0]',
      'menu[0].category_id',
    ])
  })
})

describe('a film with a poster and a wide picture', () => {
  test('has the wide one where the page is wide, and the poster in lists', async () => {
    const { shop, open, id } = await aFront()
    const sea = await aShelf(shop, 'Sea')
    const film = await aFilm(service, shop, 0, {
      title: 'The Last Ferry',
      categories: [{ category_id: sea.id }],
      preview_pictures: [{ src: host.url('/tall.png') }, { src: host.url('/wide.png') }],
    })
    await service.runJobs()
    const home = await open()
    const [hero = '', shelf = ''] = home.split('<section class="row"')
    assert.match(hero, /<div class="hero-art wide"><img[^>]*width="1280" height="720"/)
    assert.match(shelf, /<img[^>]*width="400" height="600"/)
    const { text } = await service.call('GET', `/shop/${id}/products/${film.id}`, { headers: { accept: 'text/html' } })
    assert.deepEqual(
      [...text.matchAll(/<div class="art[^"]*"><img[^>]*width="(\d+)"/g)].map(([, width]) => width),
      ['1280', '400'],
    )
  })
})

describe('the menu that an owner has arranged', () => {
  test('leads to categories of any depth, to written pages and to other sites', async () => {
    const { shop, change, open } = await aFront()
    const top = await aShelf(shop, 'Films')
    const below = await aCategory(shop, { title: 'Short films', parent_id: top.id, enabled: true })
    assert.deepEqual(menuIn(await open()), [['Films', `/categories/${top.id}-films`]])
    const answer = await change({
      locales: [{ language_id: 'en', about: '<p>Two people and a dog.</p>' }],
      menu: [
        { page: 'about' },
        { page: 'imprint' },
        { category_id: below.id, locales: [{ language_id: 'en', title: 'Shorts' }] },
        { url: 'https://blog.example.com/', locales: [{ language_id: 'en', title: 'Blog' }] },
      ],
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(menuIn(await open()), [
      ['About us', '/pages/about'],
      ['Shorts', `/categories/${below.id}-short-films`],
      ['Blog', 'https://blog.example.com/'],
    ])
  })
})
