import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from './browser.ts'
import { findChromium, type Installer, provideChromium, wantsBrowser } from './chromium.ts'

const page = (title: string, body: string, lang = ' lang="en"') =>
  `<!doctype html><html${lang}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>${title}</title></head><body>${body}</body></html>`

const PAGES: Record<string, string> = {
  '/good': page('Good', '<main><h1>Books</h1><p>All of them.</p><img src="data:," alt="A shelf"></main>'),
  '/bad': page('Bad', `<main><h1>Books</h1>${'<img src="data:,">'.repeat(7)}<input type="text"></main>`, ''),
  '/faint': page('Faint', '<main><h1>Books</h1><p style="color:#bbb;background:#fff">Hardly there</p></main>'),
  // Black while it is light, and nearly white when the transition to dark has ended.
  '/slow': page(
    'Slow',
    `<style>:root{color-scheme:light dark}p{background:#fff;color:light-dark(#000,#eee);transition:color 3600s}</style>
    <main><h1>Books</h1><p>Will be gone</p></main>`,
  ),
  '/loose': page('Loose', '<h1>Books</h1><p>Outside of every landmark.</p>'),
}

/** The strictest policy that pages can have: the helpers must work under it. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:`

const browser = useBrowser()
let server: Server
let folder: string
let url: string

before(async () => {
  server = createServer((request, response) => {
    const headers = { 'content-type': 'text/html', 'content-security-policy': POLICY, 'set-cookie': 'seen=1' }
    response.writeHead(200, headers).end(PAGES[request.url ?? ''] ?? page('Cookies', request.headers.cookie ?? 'none'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'licet-browser-'))
})

after(async () => {
  server.close().closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

describe('expectAccessible', () => {
  test('lets a page pass that is for everyone', async () => {
    const good = await browser.newPage()
    await good.goto(`${url}/good`)
    await expectAccessible(good)
  })

  test('names every rule that a page breaks, and where', async () => {
    const bad = await browser.newPage()
    await bad.goto(`${url}/bad`)
    await assert.rejects(expectAccessible(bad), ({ message }: Error) => {
      assert.match(message, /^http:\/\/127\.0\.0\.1:\d+\/bad is not accessible to everyone:\n/)
      assert.match(message, /^- html-has-lang \(serious\): /m)
      assert.match(
        message,
        /^- image-alt \(critical\): .* https:\/\/\S+\n {4}img:nth-child\(2\) {2}<img src="data:,">\n/m,
      )
      assert.match(message, /^ {4}and 2 more$/m)
      assert.match(message, /^- label \(critical\): /m)
      return true
    })
  })

  test('sees colours, and what is good practice only', async () => {
    const seen = await browser.newPage()
    await seen.goto(`${url}/faint`)
    await assert.rejects(expectAccessible(seen), /- color-contrast \(serious\)/)
    await assert.rejects(expectAccessible(seen, 'colours'), /- color-contrast \(serious\)/, 'a second time')
    await seen.goto(`${url}/loose`)
    await assert.rejects(expectAccessible(seen), /- region \(moderate\)/)
  })

  test('judges the colours at the end of a transition without waiting for it', async () => {
    const slow = await browser.newPage({ colorScheme: 'light' })
    await slow.goto(`${url}/slow`)
    await expectAccessible(slow)
    await slow.emulateMedia({ colorScheme: 'dark' })
    await assert.rejects(expectAccessible(slow, 'colours'), /- color-contrast \(serious\)/)
  })
})

describe('newPage', () => {
  for (const turn of ['first', 'second']) {
    test(`begins without cookies, the ${turn} time`, async () => {
      const fresh = await browser.newPage()
      await fresh.goto(`${url}/cookies`)
      assert.equal(await fresh.textContent('body'), 'none')
      await fresh.reload()
      assert.equal(await fresh.textContent('body'), 'seen=1')
      assert.deepEqual(fresh.viewportSize(), DESK)
    })
  }
})

describe('screenshot', () => {
  test('keeps the page as a phone and as a desk see it', async () => {
    const good = await browser.newPage()
    await good.goto(`${url}/good`)
    await screenshot(good, 'good-page', join(folder, 'pictures'))
    assert.deepEqual((await readdir(join(folder, 'pictures'))).sort(), ['good-page-desk.png', 'good-page-phone.png'])
    for (const [name, size] of Object.entries({ phone: PHONE, desk: DESK })) {
      const { width, height } = await sharp(join(folder, 'pictures', `good-page-${name}.png`)).metadata()
      assert.deepEqual({ width, height }, size)
    }
    assert.deepEqual(good.viewportSize(), DESK)
    await screenshot(good, 'good-page', '')
    await assert.rejects(screenshot(good, '../outside', folder))
  })
})

describe('Chromium', () => {
  async function program(...path: string[]): Promise<string> {
    const file = join(folder, ...path)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, '#!/bin/sh\n')
    await chmod(file, 0o755)
    return file
  }

  test('is the one that CHROMIUM_PATH names, else the first on the path', async () => {
    const named = await program('own', 'my-chromium')
    const chrome = await program('a', 'google-chrome')
    const chromium = await program('b', 'chromium')
    await mkdir(join(folder, 'a', 'chromium'), { recursive: true })
    const PATH = ['', join(folder, 'nowhere'), join(folder, 'a'), join(folder, 'b')].join(':')
    assert.equal(findChromium({ PATH, CHROMIUM_PATH: named }), named)
    assert.equal(findChromium({ PATH, CHROMIUM_PATH: '' }), chromium)
    assert.equal(findChromium({ PATH: join(folder, 'a') }), chrome)
    assert.equal(findChromium({ PATH: join(folder, 'nowhere') }, []), undefined)
    assert.throws(() => findChromium({ PATH, CHROMIUM_PATH: join(folder, 'no') }), /^Error: CHROMIUM_PATH is .*\/no, /)
  })

  test('is got by the first way that is open and leads to one', async () => {
    const tried: string[] = []
    let there: string | undefined
    const installer = (name: string, leadsTo: string | undefined, failure?: string, open = true): Installer => ({
      name,
      isOpen: () => open,
      run: async () => {
        tried.push(name)
        there = leadsTo
        return failure
      },
    })
    const find = async () => there
    const ways = [
      installer('shut', '/shut', undefined, false),
      installer('failing', undefined, 'no network'),
      installer('empty', undefined),
      installer('good', '/good'),
      installer('late', '/late'),
    ]
    assert.deepEqual(await provideChromium(find, ways), { path: '/good' })
    assert.deepEqual(tried, ['failing', 'empty', 'good'])
    assert.deepEqual(await provideChromium(find, ways), { path: '/good' })
    assert.equal(tried.length, 3, 'what is there is not got again')
    there = undefined
    const sentence =
      'Browser tests need Chromium, and there is none: install one or set CHROMIUM_PATH (failing: no network; empty: it left none behind).'
    assert.deepEqual(await provideChromium(find, ways.slice(0, 3)), { failure: sentence })
  })

  test('is looked for only if a test file asks for it', () => {
    assert.ok(wantsBrowser(['test/browser.test.ts']))
    assert.ok(wantsBrowser(['src/**/*.test.ts', 'test/**/*.test.ts']))
    assert.ok(!wantsBrowser(['test/mail-server.test.ts', 'test/nowhere.test.ts']))
    assert.ok(!wantsBrowser([]))
  })
})
