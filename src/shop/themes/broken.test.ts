import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { signedIn } from '#test/people.ts'
import { visit } from '#test/visitor.ts'

const themesFolder = `${await mkdtemp(join(tmpdir(), 'licet-themes-'))}/`
await cp(new URL('../../../themes/', import.meta.url), themesFolder, { recursive: true })
for (const template of ['reset', 'problem'])
  await writeFile(join(themesFolder, `default/templates/${template}.liquid`), '<p>\n{% if %}')
after(() => rm(themesFolder, { recursive: true }))

const service = useService({ themesFolder })
beforeEach(() => {
  service.app.baseUrl = service.url
})

describe('a default theme that was broken before the start', () => {
  test('is a page that says that the shop is away, and its owner learns the file and the line', async () => {
    const shop = await service.openShop()
    const [{ id }] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    const { status, text } = await visit(service.url).get(`/shop/${id}/reset`)
    assert.equal(status, 503)
    assert.match(text, /<h1>Not available right now<\/h1>/)
    assert.doesNotMatch(text, /liquid/)
    const told = await (await signedIn(service, shop)).get(`/shop/${id}/reset`)
    assert.deepEqual([told.status, told.text.includes('<code>templates/reset.liquid, line 2</code>')], [500, true])
    assert.equal((await visit(service.url).get(`/shop/${id}/search`)).status, 200)
  })
})
