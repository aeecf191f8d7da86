import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { THEMES } from '#catalog/theme-settings/themes.facts.ts'
import { readMessages } from '#platform/text/messages.ts'
import { cleanHtml, htmlOf, safeHtml } from '#platform/text/safe-html.ts'
import { createEngine } from './engine.theme.ts'
import { readTheme, ThemeError, type ThemeFiles } from './files.ts'
import { openTheme } from './theme.ts'

const GLOBALS = { language: 'de', currency: 'EUR', base: '/shop/1000' }
const LIMITS = { timeMs: 200, characters: 100_000, memory: 1_000_000 }
const ROOT = new URL('../../../themes/', import.meta.url)

function themeOf(templates: Record<string, string>, locales: Record<string, Record<string, string>> = {}): ThemeFiles {
  return {
    templates: new Map(Object.entries({ 'layout/theme.liquid': '{{ content_for_layout | safe_html }}', ...templates })),
    locales: new Map(Object.entries(locales).map(([code, texts]) => [code, new Map(Object.entries(texts))])),
    assets: new Map([['shop.css', { bytes: Buffer.from('a{}'), contentType: 'text/css', hash: 'abc' }]]),
  }
}

const TEXTS = {
  en: {
    only: 'Only English',
    items: '{count, plural, one {# item} other {# items}}',
    hi: 'Hi {name}',
    'cart.title': 'Your basket',
    broken: 'Hi {name',
  },
  de: { items: '{count, plural, one {# Artikel} other {# Artikel}}', hi: 'Hallo {name}' },
  pl: { items: '{count, plural, one {# rzecz} few {# rzeczy} other {# sztuk}}' },
}

function shown(home: string, scope: object = {}, globals: object = GLOBALS, more: Record<string, string> = {}): string {
  const files = themeOf({ 'templates/home.liquid': home, ...more }, TEXTS)
  const engine = createEngine(files, 'default', LIMITS)
  const content = engine.renderContent('home', { ...scope }, { ...globals })
  return engine.renderLayout('home', content, { ...scope }, { ...globals })
}

describe('a template', () => {
  test('escapes every text, whatever it does with it', () => {
    const evil = `<img src=x onerror="alert('1')">`
    for (const output of ['{{ x }}', '{{ x | raw }}', '{{ x | safe_html }}', '{{ x | append: x }}', '{{ y.x }}'])
      assert.doesNotMatch(shown(output, { x: evil, y: { x: evil } }), /<img|"alert/, output)
    assert.doesNotMatch(shown("{{ 'hi' | t: name: x }}", { x: evil }), /<img/)
    assert.equal(shown('{{ x | safe_html }}', { x: safeHtml('<b>x</b>') }), '<b>x</b>')
    assert.doesNotMatch(shown('{{ x | safe_html }}', { x: JSON.parse('{"html":"<b>"}') }), /<b>/)
  })

  test('reads own values only', () => {
    assert.equal(shown('[{{ x.constructor }}{{ x.__proto__.y }}]', { x: {} }), '[]')
  })

  test('has texts in the language of the visitor, or in English', () => {
    assert.equal(shown("{{ 'hi' | t: name: 'Ada' }}"), 'Hallo Ada')
    assert.equal(shown("{{ 'only' | t }}"), 'Only English')
    assert.equal(shown("{{ 'missing.key' | t }}"), 'missing.key')
    assert.equal(shown("{{ 'items' | t: count: 1 }}", {}, { ...GLOBALS, language: 'en' }), '1 item')
    assert.equal(shown("{{ 'items' | t: count: 1200 }}"), '1.200 Artikel')
    assert.equal(shown("{{ 'items' | t: count: 22 }}", {}, { ...GLOBALS, language: 'pl' }), '22 rzeczy')
    assert.equal(shown("{{ 'hi' | t }}|{{ 'hi' | t: name: nothing }}"), 'Hallo |Hallo ')
  })

  test('has the texts of the service, and those of its theme instead where there are any', () => {
    const english = { ...GLOBALS, language: 'en' }
    assert.equal(shown("{{ 'cart.empty' | t }}", {}, english), 'Your cart is empty.')
    assert.equal(shown("{{ 'cart.title' | t }}", {}, english), 'Your basket')
    assert.equal(shown("{{ 'cart.title' | t }}"), 'Warenkorb')
    assert.equal(shown("{{ 'cart.title' | t }}", {}, { ...GLOBALS, language: 'de-AT' }), 'Warenkorb')
    assert.equal(shown("{{ 'cart.title' | t }}", {}, { ...GLOBALS, language: 'nl' }), 'Your basket')
    assert.equal(shown("{{ 'content.downloads' | t: count: 1200 }}"), 'Noch 1.200 Downloads')
  })

  test('formats money, dates and durations for the language', () => {
    assert.equal(shown('{{ 149900 | money }}').replace(/\s/g, ' '), '1.499,00 €')
    const portuguese = shown('{{ 1499 | money }}', {}, { ...GLOBALS, language: 'pt' })
    assert.equal(portuguese.replace(/\s/g, ' '), '14,99 €')
    assert.equal(shown("{{ 500 | money: 'JPY' }}", {}, { ...GLOBALS, language: 'en' }), '¥5')
    assert.equal(shown("{{ '2026-11-16T05:00:00Z' | date }}"), '16. November 2026')
    assert.equal(shown("{{ '2026-11-16T05:00:00Z' | date: 'minute' }}"), '16. November 2026 um 05:00 UTC')
    assert.equal(shown("{{ 'no time' | date }}"), '')
    assert.equal(shown('{{ 6420 | duration }}', {}, { ...GLOBALS, language: 'en' }), '1 hr 47 min')
  })

  test('writes dates as people do in the country of the visitor', () => {
    const dates: [language: string, country: string, long: string, short: string][] = [
      ['en', 'US', 'March 8, 2026', '3/8/26'],
      ['en', 'GB', '8 March 2026', '08/03/2026'],
      // Nobody knows how English is written there.
      ['en', 'BR', '8 March 2026', '08/03/2026'],
      ['en', '', '8 March 2026', '08/03/2026'],
      ['de', 'US', '8. März 2026', '08.03.26'],
      ['de', 'AT', '8. März 2026', '08.03.26'],
      ['pt', 'BR', '8 de março de 2026', '08/03/2026'],
      ['pt', 'DE', '8 de março de 2026', '08/03/26'],
      ['nl', 'NL', '8 maart 2026', '08-03-2026'],
      ['de-AT', 'AT', '8. März 2026', '08.03.26'],
      ['not a language', 'DE', '8 March 2026', '08/03/2026'],
    ]
    const template = "{{ '2026-03-08T05:00:00Z' | date }}|{{ '2026-03-08T05:00:00Z' | date: 'short' }}"
    for (const [language, country, long, short] of dates)
      assert.equal(shown(template, {}, { ...GLOBALS, language, country }), `${long}|${short}`, `${language} ${country}`)
  })

  test('links below the address of the shop, and to assets by their content', () => {
    assert.equal(shown("{{ '/cart' | shop_url }}"), '/shop/1000/cart')
    assert.equal(shown("{{ 'shop.css' | asset_url }}"), '/assets/themes/default/shop.css?v=abc')
  })

  test('can use snippets, which know the visitor too', () => {
    const more = { 'snippets/price.liquid': '{{ cents | money }} {{ base }}' }
    assert.match(shown("{% render 'price', cents: 499 %}", {}, GLOBALS, more), /^4,99\s€ \/shop\/1000$/)
  })
})

describe('a snippet on several pages', () => {
  /** Renders one page after the other with the same engine. */
  function rendered(snippet: string, home: string, ...pages: { scope?: object; globals?: object }[]): string[] {
    const files = themeOf({ 'templates/home.liquid': home, 'snippets/part.liquid': snippet }, TEXTS)
    const engine = createEngine(files, 'default', LIMITS)
    return pages.map(({ scope, globals }) => engine.renderShared('home', { ...scope }, { ...GLOBALS, ...globals }))
  }

  test('is rendered once for the same arguments', () => {
    let reads = 0
    const card = {
      get title() {
        reads += 1
        return 'Ferry'
      },
      toJSON: () => 'the same card',
    }
    assert.deepEqual(
      rendered('{{ card.title }}', "{% render 'part', card: card %}", { scope: { card } }, { scope: { card } }),
      ['Ferry', 'Ferry'],
    )
    assert.equal(reads, 1)
  })

  test('shows its arguments, the language and the cart of each page', () => {
    const home = "{% render 'part', x: x %}"
    assert.deepEqual(rendered('{{ x }}', home, { scope: { x: 1 } }, { scope: { x: 2 } }, { scope: {} }), ['1', '2', ''])
    const texts = rendered(
      "{{ 'items' | t: count: x }}",
      home,
      { scope: { x: 2 } },
      { scope: { x: 2 }, globals: { language: 'en' } },
    )
    assert.deepEqual(texts, ['2 Artikel', '2 items'])
    const carts = [1, 2, 2, 3].map((count) => ({ scope: { x: 1 }, globals: { cart: { count } } }))
    assert.deepEqual(rendered('{{ cart.count }}', home, ...carts), ['1', '2', '2', '3'])
    const html = [safeHtml('<b>1</b>'), safeHtml('<b>2</b>'), '<b>2</b>'].map((x) => ({ scope: { x: { html: x } } }))
    assert.deepEqual(rendered('{{ x.html | safe_html }}', home, ...html), [
      '<b>1</b>',
      '<b>2</b>',
      '&lt;b&gt;2&lt;/b&gt;',
    ])
  })

  test('is rendered once for the same shop', () => {
    let reads = 0
    const shopOf = (name: string) => ({
      get name() {
        reads += 1
        return name
      },
      toJSON: () => name,
    })
    const home = "{% render 'part' %}{{ x }}"
    const pages = ['Ferry', 'Ferry', 'Harbour', 'Ferry'].map((name, x) => ({
      scope: { x },
      globals: { shop: shopOf(name) },
    }))
    assert.deepEqual(rendered('{{ shop.name }}', home, ...pages), ['Ferry0', 'Ferry1', 'Harbour2', 'Ferry3'])
    assert.equal(reads, 2)
  })

  test('that reads more of the shop for some arguments shows what it read then', () => {
    const [one, other] = [{ currencies: ['EUR'] }, { currencies: ['USD'] }]
    const pages = [
      { scope: { x: false }, globals: one },
      { scope: { x: true }, globals: one },
      { scope: { x: false }, globals: other },
      { scope: { x: true }, globals: other },
      { scope: { x: true }, globals: one },
    ]
    const part = '{% if x %}{{ currencies }}{% else %}none{% endif %}'
    assert.deepEqual(rendered(part, "{% render 'part', x: x %}", ...pages), ['none', 'EUR', 'none', 'USD', 'EUR'])
  })

  test('shows arguments that JSON does not tell apart', () => {
    const home = "{% render 'part', x: x %}"
    const given = [null, Number.POSITIVE_INFINITY, 10n, new Date(0), '1970-01-01T00:00:00.000Z']
    const shownAs = given.map((x) => shown(home, { x }, GLOBALS, { 'snippets/part.liquid': '{{ x }}' }))
    assert.equal(new Set(shownAs).size, given.length)
    assert.deepEqual(rendered('{{ x }}', home, ...given.map((x) => ({ scope: { x } }))), shownAs)
    const words = "{% render 'part', x: empty, y: ' ' %}{% render 'part', x: blank, y: ' ' %}"
    assert.deepEqual(rendered('{% if y == x %}1{% else %}0{% endif %}', words, {}), ['01'])
  })

  test('shows the time of this minute', ({ mock }) => {
    const files = themeOf({
      'templates/home.liquid': "{% render 'part' %}",
      'snippets/part.liquid': "{{ 'now' | date_to_xmlschema }}",
    })
    const engine = createEngine(files, 'default', LIMITS)
    const start = performance.now()
    let ahead = 0
    mock.method(performance, 'now', () => start + ahead)
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 11, 31, 23, 59, 30) })
    const years = [0, 29, 59, 61].map((seconds) => {
      mock.timers.setTime(Date.UTC(2026, 11, 31, 23, 59, 30 + seconds))
      ahead = 1000 * seconds
      return engine.renderShared('home', {}, GLOBALS).slice(0, 4)
    })
    assert.deepEqual(years, ['2026', '2026', '2026', '2027'])
  })

  test('that uses another one shows what that one shows', () => {
    const files = themeOf({
      'templates/home.liquid': "{% render 'outer', x: 1 %}",
      'snippets/outer.liquid': "{{ x }}{% render 'inner' %}",
      'snippets/inner.liquid': '{{ cart.count }}',
    })
    const engine = createEngine(files, 'default', LIMITS)
    const shownWith = (count: number) => engine.renderShared('home', {}, { ...GLOBALS, cart: { count } })
    assert.deepEqual([shownWith(1), shownWith(2), shownWith(3)], ['11', '12', '13'])
    const more = themeOf({
      'templates/home.liquid': "{% render 'inner' %}{% render 'outer', x: 1 %}",
      'snippets/outer.liquid': "{{ x }}{% render 'inner' %}",
      'snippets/inner.liquid': '{{ shop.name }}',
    })
    const other = createEngine(more, 'default', LIMITS)
    const ofShop = (name: string) => other.renderShared('home', {}, { ...GLOBALS, shop: { name } })
    assert.deepEqual([ofShop('A'), ofShop('B'), ofShop('A')], ['A1A', 'B1B', 'A1A'])
  })
})

describe('a broken template', () => {
  const broken = (home: string, more: Record<string, string> = {}) => {
    try {
      shown(home, {}, GLOBALS, more)
    } catch (error) {
      assert.ok(error instanceof ThemeError, String(error))
      return error.fault
    }
    return assert.fail('was rendered')
  }

  test('names its file and its line', () => {
    const { file, line, message } = broken('<p>\n{% if %}\n</p>')
    assert.deepEqual([file, line], ['templates/home.liquid', 2])
    assert.match(message, /expression/)
    assert.deepEqual(broken("\n\n{{ 'x' | nonsense }}").line, 3)
    assert.equal(
      broken("{% render 'part' %}", { 'snippets/part.liquid': '\n{% endfor %}' }).file,
      'snippets/part.liquid',
    )
    assert.match(broken("{% render 'missing' %}").message, /missing/)
    const text = broken("{{ 'broken' | t }}")
    assert.equal(text.file, 'locales/en.json')
    assert.match(text.message, /^broken is not a message: \w/)
  })

  test('cannot use the machine up: time, output and memory have limits', () => {
    const start = performance.now()
    const endless = '{% for a in (1..9999) %}{% for b in (1..9999) %}{% assign x = a %}{% endfor %}{% endfor %}'
    assert.match(broken(endless).message, /limit/i)
    assert.match(broken('{% for a in (1..9999) %}0123456789012345678901234567890{% endfor %}').message, /longer than/)
    assert.match(broken('{% for a in (1..999999999) %}{% endfor %}').message, /limit/i)
    broken("{% render 'self' %}", { 'snippets/self.liquid': "{% render 'self' %}" })
    assert.ok(performance.now() - start < 5000)
  })

  test('cannot read files outside of its theme', () => {
    for (const path of ['../../package.json', '/etc/passwd', '../locales/en'])
      assert.match(broken(`{% render '${path}' %}`).message, /ENOENT|no such|fail/i)
  })
})

describe('a theme whose files change', () => {
  let folder = ''
  before(async () => {
    folder = `${await mkdtemp(join(tmpdir(), 'licet-theme-'))}/`
    await cp(ROOT, folder, { recursive: true })
  })
  after(() => rm(folder, { recursive: true }))

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, 'default', path)), { recursive: true })
    await writeFile(join(folder, 'default', path), text)
  }

  test('shows a change at once, and its last good state while it is broken', async () => {
    await write('layout/theme.liquid', '{{ content_for_layout | safe_html }}')
    await write('templates/home.liquid', 'first')
    const theme = openTheme({ folder: 'default', themesFolder: folder, lookAgainMs: 0 })
    assert.deepEqual(theme.render('home', {}, GLOBALS), { html: 'first', fault: undefined })
    await write('templates/home.liquid', 'second!')
    assert.equal(theme.render('home', {}, GLOBALS).html, 'second!')
    await write('templates/home.liquid', 'third\n{% if %}')
    const { html, fault } = theme.render('home', {}, GLOBALS)
    assert.deepEqual([html, fault?.file, fault?.line], ['second!', 'templates/home.liquid', 2])
    await write('templates/page.liquid', '{% if %}')
    assert.throws(() => theme.render('page', {}, GLOBALS), ThemeError)
    await write('locales/de.json', '{')
    await write('templates/home.liquid', 'fourth')
    const unread = theme.render('home', {}, GLOBALS)
    assert.deepEqual([unread.html, unread.fault?.file], ['second!', 'locales/de.json'])
    await write('locales/de.json', '{}')
    assert.deepEqual(theme.render('home', {}, GLOBALS), { html: 'fourth', fault: undefined })
  })

  test('shows the page of another theme if it has never worked', async () => {
    await write('layout/theme.liquid', '[{{ content_for_layout | safe_html }}]')
    await write('templates/home.liquid', 'default')
    await cp(join(folder, 'default'), join(folder, 'mine'), { recursive: true })
    const mine = (path: string, text: string) => writeFile(join(folder, 'mine', path), text)
    await mine('templates/home.liquid', "\n{{ 'x' | nonsense }}")
    const open = (name: string) => ({ folder: name, themesFolder: folder, lookAgainMs: 0 })
    const theme = openTheme({ ...open('mine'), instead: openTheme(open('default')) })
    const { html, fault } = theme.render('home', {}, GLOBALS)
    assert.deepEqual([html, fault?.file, fault?.line], ['[default]', 'templates/home.liquid', 2])
    assert.equal(theme.renderShared('home', {}, GLOBALS).html, 'default')
    await mine('templates/home.liquid', 'mine {{ unknown }}')
    await mine('layout/theme.liquid', '{% endif %}')
    const framed = theme.render('home', {}, GLOBALS)
    assert.deepEqual([framed.html, framed.fault?.file], ['[mine ]', 'layout/theme.liquid'])
    await mkdir(join(folder, 'mine', 'locales'), { recursive: true })
    await mine('locales/de.json', '{')
    const unread = openTheme({ ...open('mine'), instead: openTheme(open('default')) })
    assert.deepEqual(unread.render('home', {}, GLOBALS), {
      html: '[default]',
      fault: { file: 'locales/de.json', line: undefined, message: 'is not readable JSON' },
    })
  })

  test('shows its last state while its files are being replaced', async () => {
    await write('layout/theme.liquid', '{{ content_for_layout | safe_html }}')
    await write('templates/home.liquid', 'before')
    const theme = openTheme({ folder: 'default', themesFolder: folder, lookAgainMs: 0 })
    assert.equal(theme.render('home', {}, GLOBALS).html, 'before')
    const version = theme.version()
    for (const part of ['default', 'default/templates']) {
      await rename(join(folder, part), join(folder, 'aside'))
      assert.equal(theme.version(), version, part)
      const { html, fault } = theme.render('home', {}, GLOBALS)
      assert.deepEqual([html, fault], ['before', { file: 'default', line: undefined, message: 'could not be read' }])
      await rename(join(folder, 'aside'), join(folder, part))
      assert.deepEqual(theme.render('home', {}, GLOBALS), { html: 'before', fault: undefined })
    }
  })
})

describe('the themes of the service', () => {
  test('use no text that is missing', async () => {
    for (const { folder, path } of THEMES.values()) {
      if (path !== undefined) continue
      const { locales } = readTheme({ path: fileURLToPath(new URL(folder, ROOT)) })
      const own = [...(locales.get('en')?.keys() ?? [])].map((key) => `pages.${key}`)
      const known = new Set([...readMessages('en').keys(), ...own])
      for (const part of ['layout', 'templates', 'snippets'])
        for (const file of await readdir(new URL(`${folder}/${part}/`, ROOT))) {
          const text = await readFile(new URL(`${folder}/${part}/${file}`, ROOT), 'utf8')
          for (const [, key = ''] of text.matchAll(/'([a-z_]+\.[a-z_.]+)' \| t\b/g))
            assert.ok(known.has(`pages.${key}`), `${file} uses ${key}`)
        }
    }
  })
})

describe('the HTML of an owner', () => {
  for (const [source, clean] of [
    ['<p onclick="x()">a<script>alert(1)</script></p>', '<p>a</p>'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<a href="javascript:alert(1)">a</a>', '<span>a</span>'],
    [
      '<a href="https://example.com/?a=1&b=2" onclick=x>a</a>',
      '<a href="https://example.com/?a=1&amp;b=2" rel="noopener nofollow">a</a>',
    ],
    ['<form action="https://evil.example"><input name=password></form>', ''],
    ['<p style="position:fixed">a</p>', '<p>a</p>'],
    ['<h1>a</h1>', '<h3>a</h3>'],
    ['a\nb\n\nc & d', '<p>a<br />b</p><p>c &amp; d</p>'],
    ['<svg><script>1</script></svg>', ''],
    ['<iframe src="https://evil.example"></iframe>', ''],
  ] as const) {
    test(`${source} is shown as ${clean || 'nothing'}`, async () =>
      assert.equal(htmlOf(await cleanHtml(source)) ?? '', clean))
  }
})
