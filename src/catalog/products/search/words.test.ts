import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { wordsIn } from '#platform/text/tokenize.ts'
import { seedShop } from '#program/demo/seed.ts'
import { useService } from '#test/harness.ts'

const service = useService()

const OTHERS = [
  'Ο Σίσυφος и Маша हिन्दी भाषा ภาษาไทย 한국어 영화 العَرَبِيَّة עִבְרִית ქართული ფილმი',
  'Tom &amp; Jerry: <em>a</em> cat &#8211; a <b>mouse</b> 2024 v2 12abc',
]

/**
 * PostgreSQL takes every character beyond ASCII for a letter, so its words are split once more. It is asked about single
 * words, because it takes two with a full stop or a slash between them for an address.
 */
test('a text is split into the words that PostgreSQL finds in it', async () => {
  const shop = await service.openShop()
  await seedShop(service.db, { companyId: shop.companyId, products: 60, seed: 5, now: new Date() })
  const { rows } = await sql<{ text: string }>`select locale ->> 'description' as text
    from products cross join json_array_elements(locales) as locale
    where company_id = ${shop.companyId}`.execute(service.db)
  const texts = [...rows.map(({ text }) => text), ...OTHERS]
  assert.ok(texts.length > 60)
  for (const text of texts) {
    const separated = text.replace(/(?<=[^\s<>])[-./:@_](?=[^\s<>])/g, ' ')
    const found = await sql<{ words: string[] }>`
      select tsvector_to_array(to_tsvector('simple', ${separated})) as words`.execute(service.db)
    const words = found.rows.flatMap((row) => row.words.flatMap(wordsIn))
    assert.deepEqual(new Set(wordsIn(text)), new Set(words), text)
  }
})
