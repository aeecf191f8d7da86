import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aProduct, assertBlames, assertPresentedFresh, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

async function put(shop: Shop, id: number, product: object): Promise<Wire> {
  const answer = await shop.put(`/api/products/${id}.json`, { product })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.product
}

/** A product in English and German, and its locales. */
async function bilingual(shop: Shop): Promise<Wire> {
  const locales = [
    { language_id: 'en', title: 'Home', description: 'A film.' },
    { language_id: 'de', title: 'Heim', email_text: 'Danke' },
  ]
  return aProduct(shop, { title: 'Film', locales })
}

describe('locales of a product', () => {
  test('are changed by id, and keep what is not sent', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    const after = await put(shop, id, { locales: [{ id: locales[1].id, title: 'Zuhause' }] })
    assert.deepEqual(after.locales[0], locales[0])
    const seo = { seo_title: 'Zuhause', seo_description: 'Zuhause', seo_keywords: 'Zuhause' }
    assert.deepEqual(after.locales[1], { ...locales[1], title: 'Zuhause', ...seo })
  })

  test('are changed by a known language, in any case', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    const after = await put(shop, id, { locales: [{ language_id: 'DE', version: '2' }] })
    assert.deepEqual(after.locales, [locales[0], { ...locales[1], version: '2' }])
  })

  test('are added by a new language, which is shown in small letters', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    const after = await put(shop, id, {
      locales: [
        { language_id: 'FR', title: 'Maison' },
        { id: null, language_id: 'pt-BR' },
        { id: 0, language_id: 'gsw' },
      ],
    })
    assert.deepEqual(after.locales.slice(0, 2), locales)
    assert.deepEqual(
      after.locales.slice(2).map((locale: Wire) => locale.language_id),
      ['fr', 'pt-br', 'gsw'],
    )
    assert.equal(new Set(after.locales.map((locale: Wire) => locale.id)).size, 5)
  })

  test('are not removed by being left out, nor by []', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    assert.deepEqual((await put(shop, id, { locales: [locales[0]] })).locales, locales)
    assert.deepEqual((await put(shop, id, { title: 'Film' })).locales, locales)
  })

  test('are removed by _destroy, once and for all', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    assert.deepEqual((await put(shop, id, { locales: [{ id: locales[0].id, _destroy: true }] })).locales, [locales[1]])
    assert.deepEqual((await put(shop, id, { locales: [{ id: locales[0].id, _destroy: 'true' }] })).locales, [
      locales[1],
    ])
    const again = await put(shop, id, { locales: [{ language_id: 'en' }] })
    assert.notEqual(again.locales[1].id, locales[0].id)
    assert.equal(again.locales[1].title, '')
  })

  test('may take each other’s place in one body: a language that is destroyed is free', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    const after = await put(shop, id, {
      locales: [
        { id: locales[0].id, _destroy: true },
        { id: locales[1].id, language_id: 'en' },
      ],
    })
    assert.deepEqual(after.locales, [{ ...locales[1], language_id: 'en' }])
  })

  test('cannot have the language of another', async () => {
    const shop = await service.openShop()
    const { id, locales } = await bilingual(shop)
    const clash = { locales: [{ id: locales[1].id, language_id: 'EN' }] }
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: clash }), ['locales[0].language_id'])
    assert.deepEqual((await readProduct(shop, id)).locales, locales)
  })

  test('with an id of another product are matched by their language, and leave the other alone', async () => {
    const shop = await service.openShop()
    const other = await bilingual(shop)
    const { id, locales } = await bilingual(shop)
    const after = await put(shop, id, { locales: [{ id: other.locales[0].id, language_id: 'en', version: '9' }] })
    assert.deepEqual(after.locales, [{ ...locales[0], version: '9' }, locales[1]])
    const foreign = { locales: [{ id: other.locales[0].id, title: 'Mine' }] }
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: foreign }), ['locales[0].language_id'])
    assert.deepEqual(await readProduct(shop, other.id), other)
  })
})

describe('search-engine texts', () => {
  test('are generated from the product if they are not written', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, {
      title: 'Film',
      locales: [
        {
          language_id: 'en',
          title: 'Home',
          description: `<style>p{}</style><p>A &amp; B&nbsp;C</p> ${'word '.repeat(50)}`,
        },
        { language_id: 'de' },
      ],
      tagging_genre: [{ value: 'Drama' }, { value: 'Drama' }],
      tagging_director: [{ person: 'Max Muster' }],
      tagging_script: [{ person: 'John Doe' }],
      tagging_people: [{ person: 'Jane Roe', role: 'Ann' }],
    })
    const [en, de] = product.locales
    assert.equal(en.seo_title, 'Home')
    assert.match(en.seo_description, /^A & B C word .*word…$/)
    assert.ok(en.seo_description.length <= 160)
    assert.equal(en.seo_keywords, 'Home, Drama, Max Muster, John Doe, Jane Roe')
    assert.deepEqual([de.seo_title, de.seo_description], ['Film', 'Film'])
  })

  test('follow later changes of the product until they are written', async () => {
    const shop = await service.openShop()
    const { id, locales } = await aProduct(shop, { title: 'Film', locales: [{ language_id: 'en' }] })
    const locale = async () => (await readProduct(shop, id)).locales[0]
    await put(shop, id, { title: 'Home' })
    assert.equal((await locale()).seo_title, 'Home')
    await put(shop, id, { locales: [{ id: locales[0].id, title: 'Way', description: 'A way.' }] })
    assert.deepEqual([(await locale()).seo_title, (await locale()).seo_description], ['Way', 'A way.'])
    await put(shop, id, { tagging_genre: [{ value: 'Drama' }] })
    assert.equal((await locale()).seo_keywords, 'Way, Drama')
    await put(shop, id, { locales: [{ id: locales[0].id, seo_title: 'Written' }] })
    await put(shop, id, { title: 'Other', locales: [{ id: locales[0].id, title: 'Other' }] })
    assert.deepEqual([(await locale()).seo_title, (await locale()).seo_description], ['Written', 'A way.'])
    await put(shop, id, { locales: [{ id: locales[0].id, seo_title: '' }] })
    assert.equal((await locale()).seo_title, 'Other')
    await assertPresentedFresh(service, shop, id)
  })

  test('are not frozen by a client that sends back what it has read, with a new title', async () => {
    const shop = await service.openShop()
    const product = await bilingual(shop)
    const [english, german] = product.locales
    const after = await put(shop, product.id, { ...product, title: 'X', locales: [{ ...english, title: 'Y' }, german] })
    assert.deepEqual([after.locales[0].seo_title, after.locales[1].seo_title], ['Y', 'Heim'])
    await put(shop, product.id, after)
    const last = await put(shop, product.id, { locales: [{ id: english.id, title: 'Z' }] })
    assert.equal(last.locales[0].seo_title, 'Z')
  })

  test('are never longer than what may be sent back', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, {
      title: 'T'.repeat(255),
      locales: [{ language_id: 'en', description: '🎬'.repeat(200) }],
      tagging_genre: Array.from({ length: 20 }, (_, index) => ({ value: `${index}`.padEnd(100, 'x') })),
    })
    assert.ok(product.locales[0].seo_description.isWellFormed())
    assert.deepEqual((await put(shop, product.id, product)).locales, product.locales)
  })
})
