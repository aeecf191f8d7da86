import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { screenshot, useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'

const service = useService()
const browser = useBrowser()

/** Every button has a name, and text enough contrast. The rest of the markup is the library's. */
async function expectReadable(page: Page): Promise<void> {
  const runOnly = { type: 'rule' as const, values: ['color-contrast', 'button-name', 'link-name'] }
  const { violations, passes } = await new AxeBuilder({ page }).setLegacyMode(true).options({ runOnly }).analyze()
  assert.ok(passes.length > 0, 'axe saw the page')
  assert.deepEqual(
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`)),
    [],
  )
}

test('the reference page works under its policy, asks no other host, and sends requests to the service', async () => {
  const page = await browser.newPage({ baseURL: service.url })
  const complaints: string[] = []
  const asked: string[] = []
  page.on('request', (request) => {
    const { origin, pathname, protocol } = new URL(request.url())
    asked.push(pathname)
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== service.url) complaints.push(request.url())
  })
  page.on('console', (message) => {
    if (/Content Security Policy|violates/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI + ' ' + event.sample))`)
  await page.goto('/docs')
  await page.getByRole('link', { name: 'Products' }).first().waitFor()
  assert.equal(await page.title(), 'Licet reference')
  assert.ok(asked.includes('/openapi.json'))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectReadable(page)
  }
  // An operation can be tried; without a token the service refuses it.
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  const answer = page.waitForResponse(`${service.url}/api/**`)
  await page.getByRole('button', { name: /Send/ }).first().click()
  assert.equal((await answer).status(), 401)
  await screenshot(page, 'reference')
  assert.deepEqual(complaints, [])
})
