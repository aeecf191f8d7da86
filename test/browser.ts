import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium, type Provided, playwrightChromium } from './chromium.ts'
import { PATIENCE_MS } from './patience.ts'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

/**
 * Chromium draws the suggestions of its address bar in a process of their own, which takes a quarter of the time that
 * pages take. The other features are those that Playwright turns off: Chromium only reads the last such list.
 */
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

const FLAGS = [
  `--disable-features=${FEATURES_OFF}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Domains of shops and of other sites, which no name server knows.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

/** WCAG 2.0 to 2.2, levels A and AA, and best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const ELEMENTS_SHOWN = 5

export type TestBrowser = {
  /** A page in a context of its own: no cookies, nothing stored. It is closed when the test ends. */
  newPage(options?: BrowserContextOptions): Promise<Page>
}

/** One real browser for a test file. The setup has found or installed it before any file runs. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []

  before(async () => {
    browser = await launch()
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  after(async () => {
    await browser?.close()
  })

  return {
    async newPage(options) {
      if (browser === undefined) throw new Error('the browser starts in a before hook')
      const context = await browser.newContext({ viewport: DESK, ...options })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE_MS)
      return context.newPage()
    },
  }
}

async function launch(): Promise<Browser> {
  const path = chromiumPath()
  // Root cannot use the sandbox, nor can Playwright's Chromium on every system; all pages are our own.
  const sandbox = process.getuid?.() !== 0 && path !== (await playwrightChromium())
  return chromium.launch({ executablePath: path, headless: true, chromiumSandbox: sandbox, args: FLAGS })
}

function chromiumPath(): string {
  const text = process.env.LICET_TEST_BROWSER
  const provided: Provided =
    text === undefined ? { path: findChromium(process.env) ?? '' } : (JSON.parse(text) as Provided)
  if ('failure' in provided) throw new Error(provided.failure)
  if (provided.path === '')
    throw new Error('Run tests with "npm test", or add --test-global-setup=test/setup.ts: it finds or gets Chromium.')
  return provided.path
}

/**
 * After a change of the colour scheme, colours are in between for a moment. This ends the moment and waits for nothing:
 * Debian's full Chromium was seen to end transitions whose `finished` never settled, and `evaluate` has no time limit.
 */
const END_TRANSITIONS = 'for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()'

/** The rules that another colour scheme can break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** axe runs in every frame, and waits for ever in one where no script may run. What such a frame shows is looked at by itself. */
const TAKE_FRAMES = `window.takenFrames = [...document.querySelectorAll('iframe[sandbox]:not([sandbox~=allow-scripts])')]
  .map((frame) => { const place = document.createComment(''); frame.replaceWith(place); return { frame, place } })`
const PUT_FRAMES = 'for (const { frame, place } of window.takenFrames ?? []) place.replaceWith(frame)'

const axeSource = () => readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Fails with every rule that the page breaks, and where; `colours` checks only colours, which is faster. */
export async function expectAccessible(page: Page, what: 'everything' | 'colours' = 'everything'): Promise<void> {
  await page.evaluate(END_TRANSITIONS)
  await page.evaluate(TAKE_FRAMES)
  try {
    await expectWithoutFrames(page, what)
  } finally {
    await page.evaluate(PUT_FRAMES)
  }
}

async function expectWithoutFrames(page: Page, what: 'everything' | 'colours'): Promise<void> {
  const isWhole = page.frames().length === 1
  // A document keeps axe once it has it, and loading it takes a third of a check. The builder would take the long source.
  const isLoaded = isWhole && (await page.evaluate('typeof axe === "object"'))
  // The legacy mode opens no extra page for the results of frames: half the time, and the pages have no frames.
  const axe = new AxeBuilder({ page, axeSource: isLoaded ? ';' : axeSource() }).setLegacyMode(isWhole)
  const runOnly =
    what === 'colours' ? { type: 'rule' as const, values: COLOUR_RULES } : { type: 'tag' as const, values: RULES }
  // One passing element of each kind is reported, as proof that something was checked.
  const { violations, passes } = await axe.options({ runOnly, resultTypes: ['violations'] }).analyze()
  if (passes.length === 0 && violations.length === 0) assert.fail(`${page.url()} has nothing that could be looked at`)
  if (violations.length === 0) return
  const rules = violations.map(({ id, impact, help, helpUrl, nodes }) =>
    [
      `- ${id} (${impact}): ${help}. ${helpUrl}`,
      ...nodes
        .slice(0, ELEMENTS_SHOWN)
        .map(({ target, html }) => `    ${target.join(' ')}  ${html.replace(/\s+/g, ' ')}`),
      ...(nodes.length > ELEMENTS_SHOWN ? [`    and ${nodes.length - ELEMENTS_SHOWN} more`] : []),
    ].join('\n'),
  )
  assert.fail(`${page.url()} is not accessible to everyone:\n${rules.join('\n')}`)
}

/** Takes screenshots of the page at phone and desktop size, in the folder LICET_SCREENSHOTS if that is set. */
export async function screenshot(page: Page, name: string, folder = process.env.LICET_SCREENSHOTS): Promise<void> {
  assert.match(name, /^[\w-]+$/, 'the name of a picture becomes the name of a file')
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const before = page.viewportSize()
  for (const [width, size] of Object.entries({ phone: PHONE, desk: DESK })) {
    await page.setViewportSize(size)
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true })
  }
  if (before !== null) await page.setViewportSize(before)
}
