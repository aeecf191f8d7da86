import sharp from 'sharp'
import { request } from 'undici'
import { createApp } from '#apps/oauth/apps.commands.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { atMost, type Finding, figure, type Scale } from '../findings.ts'
import type { LoadedShop } from '../load/run.ts'

/** What docs/operating.md says: no process remembers for longer what another one has changed. */
const AGREE_MS = 1000
const GIVE_UP_MS = 30_000
const ORIGIN = { address: '127.0.0.1', requestId: 'proof' }

type Answer = { status: number; text: string }

async function ask(
  url: string,
  headers: Record<string, string>,
  method: 'GET' | 'POST' | 'PUT' = 'GET',
  body?: string | Buffer,
) {
  const answer = await request(url, { method, headers, body: body ?? null })
  return { status: answer.statusCode, text: await answer.body.text() }
}

/** Asks again and again, and returns how many milliseconds it took until the answer was the wanted one. */
async function msUntil(get: () => Promise<Answer>, isWanted: (answer: Answer) => boolean): Promise<number> {
  const started = performance.now()
  for (;;) {
    const answer = await get()
    const ms = performance.now() - started
    if (isWanted(answer)) return ms
    if (ms > GIVE_UP_MS) throw new Error(`two processes do not agree: ${answer.status} ${answer.text.slice(0, 300)}`)
  }
}

type Pair = { one: string; other: string }

/** A token is given back at one service, which the other one remembers. */
async function msUntilRefused({ store, shop }: LoadedShop, { one, other }: Pair): Promise<number> {
  const now = nowInSeconds(machineClock)
  const { companyId, userId } = shop
  const { app, token } = await inTransaction(store.db, async (tx) => {
    const details = { companyId, name: 'Revoked', redirectUris: [] }
    const app = await createApp(tx, details, store.vault, { userId, origin: ORIGIN }, now)
    const scopes = ['products'] as const
    return {
      app,
      token: await issueToken(
        tx,
        { companyId, userId, appId: app.id, scopes: [...scopes], lifetimeSeconds: 3600 },
        now,
      ),
    }
  })
  const read = () => ask(`${other}/api/products/count.json`, { authorization: `Bearer ${token}` })
  const before = await read()
  if (before.status !== 200) throw new Error(`the token is refused with ${before.status} before it was revoked`)
  const form = new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret, token })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await ask(`${one}/oauth2/revoke`, type, 'POST', form.toString())
  if (status !== 200) throw new Error(`the token is not taken back: ${status}`)
  return msUntil(read, (answer) => answer.status === 401)
}

/** A product is changed through one service; the other one has kept its page. */
async function msUntilChanged({ shop }: LoadedShop, { one, other }: Pair, title: string) {
  const [film] = shop.films
  if (film === undefined) throw new Error('the shop has no film')
  const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
  const page = () => ask(`${other}${shop.base}/products/${film.product_id}`, { accept: 'text/html' })
  for (let reads = 0; reads < 3; reads += 1) await page()
  const path = `/api/products/${film.id}.json`
  const changed = await ask(`${one}${path}`, headers, 'PUT', JSON.stringify({ product: { title } }))
  if (changed.status !== 200) throw new Error(`the product is not changed: ${changed.text}`)
  const has = ({ text }: Answer) => text.includes(title)
  const isRead = has(await ask(`${other}${path}`, headers))
  return { isRead, pageMs: await msUntil(page, has) }
}

/** A picture is sent to one service, and fetched from the other one. */
async function isPictureShared({ shop }: LoadedShop, { one, other }: Pair): Promise<boolean> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#357' } })
    .png()
    .toBuffer()
  const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'image/png' }
  const sent = await ask(`${one}/api/pictures.json`, headers, 'POST', bytes)
  if (sent.status >= 300) throw new Error(`the picture is refused: ${sent.text}`)
  const { pathname } = new URL(JSON.parse(sent.text).picture.url, one)
  return (await ask(`${other}${pathname}`, {})).status === 200
}

/** How soon a service knows what another one has changed, without anything between them but the database and the files. */
export async function proveAgreement(
  shop: LoadedShop,
  [one, other]: readonly { url: string }[],
  { isShort, onProgress }: Scale,
): Promise<Finding[]> {
  if (one === undefined || other === undefined) throw new Error('it takes two services')
  const pair = { one: one.url, other: other.url }
  const times = isShort ? 2 : 20
  const refused: number[] = []
  const pages: number[] = []
  let stale = 0
  for (let time = 1; time <= times; time += 1) {
    refused.push(await msUntilRefused(shop, pair))
    const { isRead, pageMs } = await msUntilChanged(shop, pair, `Changed ${time} times`)
    if (!isRead) stale += 1
    pages.push(pageMs)
  }
  onProgress(
    `tokens refused after ${refused.map(Math.round).join(', ')} ms, pages after ${pages.map(Math.round).join(', ')} ms`,
  )
  return [
    figure('Tokens given back and products changed at one service, each', times, ''),
    atMost('Until the other one refused the token, at most', Math.max(...refused), AGREE_MS, 'ms'),
    atMost('Old products that the API of the other one has answered', stale, 0, ''),
    atMost('Until the page of the other one showed the product, at most', Math.max(...pages), AGREE_MS, 'ms'),
    { ...atMost('Pictures that the other one does not have', (await isPictureShared(shop, pair)) ? 0 : 1, 0, '') },
  ]
}
