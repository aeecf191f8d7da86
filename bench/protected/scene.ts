import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OURS } from '#test/checkout.ts'
import { visit } from '#test/visitor.ts'
import { send } from '../files/transfer.ts'
import { type Service, withDatabase } from '../services.ts'
import { fetchBody } from '../verify.ts'
import { writeFilm } from './film.ts'

/** The rate of the film that is watched. */
export const MEGABITS = 4
/** Pieces of one order. */
const PIECES_MAX = 100
/** A general license of the service that lets customers play. */
const LICENSE_ID = 1
/** What decides whether a browser has to decrypt apart from the page, if it can. */
const OUTPUTS = `copp_aps copp_cgms copp_hdcp copy_prot_level_analog copy_prot_level_digital play_prot_level_analog
  play_prot_level_digital`.split(/\s+/)
const NO_PROTECTION = Object.fromEntries(OUTPUTS.map((name) => [name, 0]))
const PACKED_MS = 600_000
const PASSWORD = 'a password to watch with'

export type Segment = { path: string; seconds: number; key: string; iv: Buffer }
/** A film that one browser plays. */
export type Playback = { pictures: Segment[]; sound: Segment[] }
export type Scene = {
  base: string
  cookie: string
  /** The films that the customer owns; one of them is decrypted apart from the page, and one is played from its file. */
  owned: number[]
  apart: number
  plain: number
  play(entitlement: number): Promise<Playback>
}

type Product = { id: number; product_id: string }

async function post<Answer>(service: Service, path: string, body: object): Promise<Answer> {
  return JSON.parse(await fetchBody(service, { method: 'POST', path, body: JSON.stringify(body) }, 201))
}

async function addFilm(service: Service, priceId: number, film: string, isProtected: boolean): Promise<Product> {
  const { product } = await post<{ product: Product }>(service, '/api/products.json', {
    product: {
      product_type: 1,
      title: 'A film',
      published: true,
      drm_protected: isProtected,
      price_license_binding: [{ license_id: LICENSE_ID, price_id: priceId }],
    },
  })
  const { size } = await stat(film)
  const file = { product_id: product.product_id, name: 'film.mp4', role: 'main_sd', size }
  const made = await post<{ file: { id: number; upload_url: string } }>(service, '/api/files.json', { file })
  const headers = {
    authorization: `Bearer ${service.token}`,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': size,
  }
  await send(made.file.upload_url, 'PATCH', headers, film)
  if (isProtected) await packed(service, made.file.id)
  return product
}

async function packed(service: Service, file: number): Promise<void> {
  for (let waited = 0; waited < PACKED_MS; waited += 500) {
    const read = JSON.parse(await fetchBody(service, { method: 'GET', path: `/api/files/${file}.json` })).file
    if (read.packing?.status === 'ready') return
    if (read.packing?.status === 'failed') throw new Error(`the film was not packed: ${JSON.stringify(read.packing)}`)
    await sleep(500)
  }
  throw new Error('the film is still being packed')
}

async function firstId(client: pg.Client, text: string, companyId: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(text, [companyId])
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`nothing found: ${text}`)
  return Number(id)
}

/** A customer who owns a protected film many times, and who has signed in. */
export async function makeScene(
  service: Service,
  host: string,
  folder: string,
  { owned: amount, seconds }: { owned: number; seconds: number },
): Promise<Scene> {
  const [setting, price] = await withDatabase(host, async (client) => [
    await firstId(client, 'select id from theme_settings where company_id = $1 order by id limit 1', service.companyId),
    await firstId(client, 'select id from prices where company_id = $1 order by id limit 1', service.companyId),
  ])
  const path = join(folder, 'watched.mp4')
  await writeFilm(path, { seconds, megabits: MEGABITS, isForWeb: true })
  const film = await addFilm(service, price ?? 0, path, true)
  const protectedMore = await addFilm(service, price ?? 0, path, true)
  const open = await addFilm(service, price ?? 0, path, false)
  const email = 'viewer@example.com'
  const order = (customer: object, product: Product, quantity: number) =>
    post<{ order: { customer: { token: string } } }>(service, '/api/orders.json', {
      order: { customer, line_items: [{ product_id: product.product_id, quantity }], customer_notification: 0 },
    })
  const first = await order({ email, password: PASSWORD }, open, 1)
  await order({ email }, protectedMore, 1)
  for (let made = 0; made < amount; made += PIECES_MAX)
    await order({ email }, film, Math.min(PIECES_MAX, amount - made))
  await withDatabase(host, async (client) => {
    await client.query('update customers set verified_email = true')
    const terms = (product: Product, changed: object) =>
      client.query('update entitlements set terms = terms || $1 where product_id = $2', [changed, product.product_id])
    await terms(film, NO_PROTECTION)
    await terms(protectedMore, { ...NO_PROTECTION, copy_prot_level_digital: 100 })
  })
  const { token } = first.order.customer
  type Content = { content: { id: number; product_id: string }[] }
  const listed = await fetchBody(service, { method: 'GET', path: `/api/customers/${token}/content.json` })
  const { content }: Content = JSON.parse(listed)
  const of = ({ product_id }: Product) => content.filter((each) => each.product_id === product_id).map(({ id }) => id)
  const base = `/shop/${setting}`
  const visitor = visit(service.address, OURS)
  await visitor.get(`${base}/login`)
  const entered = await visitor.post(`${base}/login`, { email, password: PASSWORD, decision: 'password' })
  if (entered.status !== 303) throw new Error(`the sign-in answers ${entered.status}: ${entered.text.slice(0, 2000)}`)
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
  const [plain, apart] = [of(open)[0], of(protectedMore)[0]]
  if (plain === undefined || apart === undefined) throw new Error('the customer does not own all films')
  return { base, cookie, owned: of(film), apart, plain, play: (id) => play(service, { base, cookie }, id) }
}

/** Begins to play as another browser: each gets an id as a device of its own. */
async function play(service: Service, { base, cookie }: Pick<Scene, 'base' | 'cookie'>, id: number): Promise<Playback> {
  const get = async (path: string) => (await fetch(service.address + path, { headers: { cookie } })).text()
  const begun = await fetch(`${service.address}${base}/my-content/${id}/play`, {
    method: 'POST',
    headers: { ...OURS, cookie, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_time=',
  })
  const text = await begun.text()
  if (begun.status !== 200) throw new Error(`playing answers ${begun.status}: ${text.slice(0, 500)}`)
  // What browsers play from that have cryptography of their own.
  const { url }: { url: string } = JSON.parse(text).source.counter
  const beside = (name: string) => url.replace('main-ctr.m3u8', name)
  const [, sound = ''] = /TYPE=AUDIO.*URI="([^"]+)"/.exec(await get(url)) ?? []
  const track = async (name: string) => readTrack(await get(beside(name)), beside)
  return { pictures: await track('0-v-ctr.m3u8'), sound: await track(sound) }
}

function readTrack(text: string, beside: (name: string) => string): Segment[] {
  const pattern = /#EXT-X-KEY:METHOD=AES-256-CTR,URI="([^"]+)",IV=0x([0-9a-f]{32})\n#EXTINF:([\d.]+),\n(\S+)/g
  const segments = [...text.matchAll(pattern)].map(([, key = '', iv = '', seconds, name = '']) => ({
    path: beside(name),
    key: beside(key),
    iv: Buffer.from(iv, 'hex'),
    seconds: Number(seconds),
  }))
  if (segments.length === 0) throw new Error(`the playlist has no segments: ${text.slice(0, 500)}`)
  return segments
}
