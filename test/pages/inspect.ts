import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { expectAccessible, screenshot, type TestBrowser } from '../browser.ts'
import type { Visitor } from '../visitor.ts'
import { focused, type Look, look, overflow } from './look.ts'
import { brokenMarkup } from './markup.ts'

/** The narrowest phones that are still in use. */
export const NARROWEST = { width: 320, height: 640 }
const OUTLINE_MIN = 2

/** A page of the service that is watched for as long as it is open. */
export type Watched = {
  readonly page: Page
  /** The last document as the service sent it. */
  source(): Promise<string>
  /** Fails if another origin was requested, or a policy blocked something. */
  expectQuiet(): void
  /** Lets script run meanwhile, because the checks are scripts themselves. */
  withScript(work: () => Promise<void>): Promise<void>
}

/** No script runs on it. `friends` are the other origins that it may go on to. */
export async function watch(browser: TestBrowser, url: string, friends: string[] = []): Promise<Watched> {
  const page = await browser.newPage({ baseURL: url })
  const protocol = await page.context().newCDPSession(page)
  const disable = (value: boolean) => protocol.send('Emulation.setScriptExecutionDisabled', { value })
  await disable(true)
  const complaints: string[] = []
  let last: Request | undefined
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (request.isNavigationRequest()) last = request
    if (protocol !== 'data:' && ![url, ...friends].includes(origin)) complaints.push(`asked for ${request.url()}`)
  })
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
  return {
    page,
    async source() {
      const response = await last?.response()
      assert.ok(response, 'no document was asked for')
      return response.text()
    },
    expectQuiet: () => assert.deepEqual(complaints, []),
    async withScript(work) {
      await disable(false)
      await work()
      await disable(true)
    },
  }
}

const OF_THE_SERVICE = /^(Error: )?\S.* · Licet$/

/** Checks what applies to every page, takes a screenshot, and returns what is on the page. */
export async function glance(watched: Watched, name: string, title = OF_THE_SERVICE): Promise<Look> {
  const { page } = watched
  const seen = await look(page)
  assert.deepEqual(brokenMarkup(await watched.source(), seen.paths), [])
  assert.equal(seen.headings, 1)
  assert.match(await page.title(), title)
  assert.equal((await page.title()).startsWith('Error: '), seen.alerts.length > 0, 'the title tells of an alert')
  expectFields(seen)
  watched.expectQuiet()
  await screenshot(page, `${name}-light`)
  return seen
}

/** Checks a page thoroughly: also accessibility, dark mode, a narrow phone and the keyboard. */
export async function inspect(watched: Watched, name: string, title?: RegExp): Promise<Look> {
  const { page } = watched
  const seen = await glance(watched, name, title)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await watched.withScript(() => expectAccessible(page, colorScheme === 'dark' ? 'colours' : 'everything'))
    if (colorScheme === 'dark') await screenshot(page, `${name}-dark`)
  }
  await expectFits(page)
  await expectKeyboard(page, seen.stops)
  return seen
}

/** The attributes that password managers use. */
const AUTOCOMPLETE: Record<string, string[]> = {
  email: ['username'],
  username: ['username'],
  password: ['current-password', 'new-password'],
  password_confirmation: ['new-password'],
  current_password: ['current-password'],
  code: ['one-time-code', 'off'],
  first_name: ['given-name'],
  last_name: ['family-name'],
  company_name: ['organization'],
  country: ['country'],
}

function expectFields({ fields, isFirstMistakeFocused }: Look): void {
  for (const { name, type, autocomplete, value, description, isInvalid } of fields) {
    if (name in AUTOCOMPLETE) assert.ok(AUTOCOMPLETE[name]?.includes(autocomplete ?? ''), `${name}: ${autocomplete}`)
    else assert.ok(['select-one', 'checkbox'].includes(type), `${name} is a field that this test does not know`)
    assert.equal(type === 'password', name.includes('password'), name)
    if (type === 'password') assert.equal(value, '', `${name} came back`)
    if (isInvalid) assert.notEqual(description, '', `${name} does not say what is wrong with it`)
  }
  assert.ok(isFirstMistakeFocused, 'the cursor is not in the first field with a mistake')
}

async function expectFits(page: Page): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize(NARROWEST)
  const pixels = await overflow(page)
  if (before !== null) await page.setViewportSize(before)
  assert.ok(pixels <= 0, `${pixels} pixels are beyond the edge of a narrow phone`)
}

/**
 * Everything that can be used is reached by Tab, in the order in which one sees it, and shows that it is: downwards, and on to
 * the top of a column that is beside.
 */
async function expectKeyboard(page: Page, stops: string[]): Promise<void> {
  // The first Tab starts from the beginning of the page, wherever the focus was.
  await page.evaluate('document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex")')
  const reached: string[] = []
  let before = { top: 0, right: 0 }
  for (const _stop of stops) {
    await page.keyboard.press('Tab')
    const { called, outline, isShown, top, bottom, left, right } = await focused(page)
    reached.push(called)
    assert.ok(outline >= OUTLINE_MIN, `nobody sees that ${called} has the focus`)
    assert.ok(isShown, `${called} has the focus out of sight`)
    assert.ok(bottom > before.top || left >= before.right, `${called} comes late`)
    before = { top, right }
  }
  assert.deepEqual(reached, stops)
}

const PRESSES_MAX = 200

/**
 * Goes on with the Tab key until something of this name has the focus: `Password`, or `button Sign in`. It fails if the
 * focus cannot be seen there.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const isIt = (called: string) =>
    typeof name === 'string' ? called === name || called.slice(called.indexOf(' ') + 1) === name : name.test(called)
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    const { called, outline, isShown } = await focused(page)
    if (isIt(called)) {
      assert.ok(outline >= OUTLINE_MIN && isShown, `nobody sees that ${called} has the focus`)
      return
    }
    await page.keyboard.press('Tab')
  }
  assert.fail(`${name} cannot be reached by Tab`)
}

/** Types into fields by their labels, in the order of the page, without a mouse. What is there already is replaced. */
export async function type(page: Page, typed: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(typed)) {
    await tabTo(page, label)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
  }
}

/** Presses a button or follows a link with the keyboard, and waits for the page that comes. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

/** Turns off the browser's own validation, so that the service validates the form. */
export async function sendUnchecked(page: Page): Promise<void> {
  await page.evaluate('for (const form of document.forms) form.noValidate = true')
}

/** Copies the cookies of a visitor into the browser, for tests that are not about signing in. */
export async function carry({ page }: Watched, url: string, { cookies }: Visitor): Promise<void> {
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
}
