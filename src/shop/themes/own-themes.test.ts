import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { setOwnThemes } from '#catalog/theme-settings/themes.facts.ts'
import { assertBlames, readThemeSetting } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { signedIn } from '#test/people.ts'
import { visit } from '#test/visitor.ts'
import { readOwnThemes, useOwnThemes } from './own-themes.files.ts'
import { findFaults } from './theme.ts'

const data = await mkdtemp(join(tmpdir(), 'licet-data-'))
after(async () => {
  setOwnThemes(new Map())
  await rm(data, { recursive: true })
})

const service = useService()
beforeEach(() => {
  service.app.baseUrl = service.url
})

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(data, 'themes', path)), { recursive: true })
  await writeFile(join(data, 'themes', path), text)
}

async function openShop(theme_id: number) {
  const shop = await service.openShop()
  const [{ id }] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { theme_id } })
  return { shop, id, answer }
}

describe('a theme in the data folder', () => {
  test('can be chosen, and has from the default theme what it leaves out', async () => {
    await write('mine/theme.json', '{ "id": 1001, "name": "Mine" }')
    await write('mine/templates/search.liquid', "<h1>My {{ 'search.title' | t }}</h1>")
    await write('mine/assets/mine.css', 'a{}')
    await write('mine/locales/en.json', '{ "search": { "title": "finder" } }')
    useOwnThemes(data)
    const { id, answer } = await openShop(1001)
    assert.deepEqual([answer.status, answer.body.ThemeSetting.name], [200, 'Mine'])
    const guest = visit(service.url)
    const { text } = await guest.get(`/shop/${id}/search`)
    assert.match(text, /<h1>My finder<\/h1>/)
    assert.match(text, /href="\/assets\/themes\/mine\/shop\.css\?v=/)
    for (const file of ['shop.css', 'mine.css'])
      assert.equal((await guest.get(`/assets/themes/mine/${file}`)).status, 200, file)
    assert.match((await guest.get(`/shop/${id}/login`)).text, /name="password"/)
  })

  test('that is broken is shown as the default theme, and its owner learns the file and the line', async () => {
    await write('bad/theme.json', '{ "id": 1002, "name": "Bad" }')
    await write('bad/templates/search.liquid', "\n{{ 'x' | nonsense }}")
    useOwnThemes(data)
    const { shop, id } = await openShop(1002)
    const { status, text } = await visit(service.url).get(`/shop/${id}/search`)
    assert.equal(status, 200)
    assert.match(text, /<h1[^>]*>Search<\/h1>/)
    const told = await (await signedIn(service, shop)).get(`/shop/${id}/search`)
    assert.ok(told.text.includes('<code>bad/templates/search.liquid, line 2</code>'), told.text)
    const [fault] = findFaults({ folder: 'bad', path: join(data, 'themes/bad') })
    assert.deepEqual([fault?.file, fault?.line], ['bad/templates/search.liquid', 2])
  })

  test('that is gone leaves its shops with the default theme, and they can still be changed', async () => {
    await write('mine/theme.json', '{ "id": 1001, "name": "Mine" }')
    useOwnThemes(data)
    const { shop, id } = await openShop(1001)
    setOwnThemes(new Map())
    assert.equal((await visit(service.url).get(`/shop/${id}/search`)).status, 200)
    const kept = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { newsletter_enabled: true } })
    assert.equal(kept.status, 200)
    assert.equal((await readThemeSetting(shop, id)).theme_id, 1001)
    const refused = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { theme_id: 1002 } })
    assertBlames(refused, ['theme_id'])
  })

  test('needs a name that an address can have, and an id of its own', async () => {
    const other = await mkdtemp(join(tmpdir(), 'licet-data-'))
    const themes = {
      Loud: '{ "id": 1001, "name": "Loud" }',
      a: '{ "id": 1001, "name": "A" }',
      b: '{ "id": 1001, "name": "B" }',
      c: '{ "id": 1, "name": "C" }',
      d: '{',
      default: '{ "id": 1003, "name": "D" }',
      e: '{ "id": 1004 }',
    }
    for (const [folder, text] of Object.entries(themes)) {
      await mkdir(join(other, 'themes', folder), { recursive: true })
      await writeFile(join(other, 'themes', folder, 'theme.json'), text)
    }
    await mkdir(join(other, 'themes/f'))
    const { themes: found, faults } = readOwnThemes(other)
    assert.deepEqual([...found.keys()], [1001])
    assert.deepEqual(
      faults.map(({ file }) => file),
      ['Loud', 'b/theme.json', 'c/theme.json', 'd/theme.json', 'default', 'e/theme.json', 'f/theme.json'],
    )
    await rm(other, { recursive: true })
  })
})
