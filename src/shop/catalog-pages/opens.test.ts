import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEpub, aPdf } from '#test/books.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { someVideo, upload } from '#test/uploads.ts'

const service = useService()
const pages = useShopPages(service)

const someSound = () => Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(2000, 'x')])

const KEPT = { total_downloads: -1, annual_downloads: -1 }
const STREAMED = { total_downloads: 0 }
const LOCKED = { drm: 1, allow_play: 0, ...KEPT }
const [FILM, SOUND, BOOK] = [9, 5, 16]

type Sold = { bytes: Buffer; name: string; role?: string }

/** A product with files, and with an offer for each of the terms. */
async function aProductWith(product_type: number, files: readonly Sold[], offers: readonly object[]): Promise<Wire> {
  const { shop } = pages
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const price_license_binding: object[] = []
  for (const { hd, ...terms } of offers as { hd?: boolean }[]) {
    const license = await aLicense(service, shop, { name: 'License', ...terms })
    price_license_binding.push({ license_id: license.id, price_id: price.id, ...(hd === undefined ? {} : { hd }) })
  }
  const product = await aProduct(shop, { product_type, title: 'Tern Island', published: true, price_license_binding })
  for (const { bytes, ...about } of files) await upload(service, shop, product, bytes, about)
  return product
}

/** The first of the terms of each offer. */
async function firstTerms({ id }: Wire, language = 'en'): Promise<string[]> {
  const { text } = await pages.comeIn({ 'accept-language': language }).get(`${pages.base}/products/${id}`)
  return [...text.matchAll(/<ul class="ticks"><li>[\s\S]*?<span>([^<]*)<\/span>/g)].map(([, words]) => words ?? '')
}

test('an offer says how it is used in the browser, by what its license and its files allow', async () => {
  const film = await aProductWith(
    FILM,
    [{ bytes: someVideo(), name: 'film.mp4', role: 'main_sd' }],
    [STREAMED, KEPT, LOCKED],
  )
  assert.deepEqual(await firstTerms(film), [
    'Watch in your browser',
    'Watch in your browser or download',
    // Nothing is promised that the license refuses.
    'Yours to keep',
  ])
  const book = await aProductWith(
    BOOK,
    [
      { bytes: await aPdf(1), name: 'book.pdf' },
      { bytes: anEpub(), name: 'book.epub' },
    ],
    [KEPT, STREAMED],
  )
  assert.deepEqual(await firstTerms(book), ['Read in your browser or download as EPUB and PDF', 'Read in your browser'])
  const album = await aProductWith(SOUND, [{ bytes: someSound(), name: 'track.mp3' }], [KEPT])
  assert.deepEqual(await firstTerms(album), ['Listen in your browser or download as MP3'])
})

test('an offer does not promise files that it does not include', async () => {
  const film = await aProductWith(
    FILM,
    [
      { bytes: someVideo(), name: 'film.mp4', role: 'main_hd' },
      { bytes: someVideo(), name: 'making-of.mp4', role: 'extra' },
    ],
    [
      { ...STREAMED, hd: true },
      { ...STREAMED, hd: false },
    ],
  )
  assert.deepEqual(await firstTerms(film), ['Watch in your browser', 'Yours to keep'])
  const nothing = await aProductWith(FILM, [{ bytes: someVideo(), name: 'trailer.mp4', role: 'trailer' }], [KEPT])
  assert.deepEqual(await firstTerms(nothing), ['Yours to keep'])
})

test('it is said in the language of the visitor', async () => {
  const { shop } = pages
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const locales = ['en', 'de', 'fr', 'es', 'it', 'pt'].map((language_id) => ({ language_id }))
  assert.equal((await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { locales } })).status, 200)
  const book = await aProductWith(
    BOOK,
    [
      { bytes: await aPdf(1), name: 'book.pdf' },
      { bytes: anEpub(), name: 'book.epub' },
    ],
    [KEPT],
  )
  const said = await Promise.all(['de', 'fr', 'es', 'it', 'pt'].map((language) => firstTerms(book, language)))
  assert.deepEqual(said.flat(), [
    'Im Browser lesen oder als EPUB und PDF herunterladen',
    'Lire dans votre navigateur ou télécharger en EPUB et PDF',
    'Leer en su navegador o descargar en EPUB y PDF',
    'Leggere nel browser o scaricare in EPUB e PDF',
    'Ler no seu navegador ou descarregar em EPUB e PDF',
  ])
})
