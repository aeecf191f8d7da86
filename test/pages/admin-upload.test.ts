import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { useBrowser } from '../browser.ts'
import type { Wire } from '../factories.ts'
import { installedFolder, type Serving, serve, temporaryFolder } from '../start/program.ts'
import { headOfVideo } from '../uploads.ts'

const browser = useBrowser()

const SIZE = 200 * 1024 * 1024
/** What the screen says when a good part of the upload has arrived, and enough is left for the service to be killed. */
const HALF_SENT = /\b(?:[4-9]\d|1\d\d) MB of 210 MB/

/** A large film of which most is empty, so that writing it costs nothing. No two of its parts are the same. */
async function aLargeFilm(): Promise<string> {
  const path = join(await temporaryFolder(), 'large.mp4')
  const file = await open(path, 'w')
  await file.write(headOfVideo(SIZE), 0)
  for (let at = 10_000_000; at < SIZE; at += 10_000_000) await file.write(Buffer.from(`part at ${at}`), 0, null, at)
  await file.truncate(SIZE)
  await file.close()
  return path
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), hash)
  return hash.digest('hex')
}

async function call({ url, token }: Serving, path: string, product?: object): Promise<Wire> {
  const answer = await fetch(`${url}${path}`, {
    method: product === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: product === undefined ? null : JSON.stringify({ product }),
  })
  assert.ok(answer.ok, path)
  return (await answer.json()) as Wire
}

describe('a large upload in the admin interface', () => {
  test('survives a lost line and the death of the service, byte by byte', async () => {
    const data = await installedFolder()
    let service = await serve({ LICET_DATA: data })
    const { port } = new URL(service.url)
    const [link] = await service.says(/http\S+\/demo\/\S+/)
    const page = await browser.newPage({ baseURL: service.url, locale: 'en-GB' })
    await page.goto(link)
    await page.getByRole('button').first().click()
    await page.waitForURL(/\/admin\/$/)
    // Whoever enters the demo shop is shown around.
    await page.getByRole('button', { name: 'Leave the tour' }).click()
    const { product } = await call(service, '/api/products.json', { product_type: 1, title: 'Large' })
    await page.goto(`/admin/products/${product.id}`)

    const path = await aLargeFilm()
    await page.getByLabel('Choose files', { exact: true }).setInputFiles(path)
    await page.getByText(/ of 210 MB/).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('it goes on by itself').waitFor()
    await page.context().setOffline(false)
    await page.getByText(HALF_SENT).waitFor()
    service.kill('SIGKILL')
    await service.ended
    await page.getByText('it goes on by itself').waitFor()
    service = await serve({ LICET_DATA: data, PORT: port })
    await page.getByText('Ready', { exact: true }).waitFor()
    const [file] = (await call(service, `/api/files.json?product_id=${product.product_id}`)).files
    assert.deepEqual([file.size, file.sha256], [SIZE, await hashOf(path)])
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
  })
})
