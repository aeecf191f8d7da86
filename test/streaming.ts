import assert from 'node:assert/strict'
import { createDecipheriv } from 'node:crypto'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aFilm } from './media.ts'
import { enterShop, type OwnedFile, ownedContent } from './owned-content.ts'
import { baseOf } from './shop-pages.ts'
import type { Visitor } from './visitor.ts'

export const STREAM_TERMS = { drm: 1, allow_play: 1, total_concurrent_devices: -1, annual_concurrent_devices: -1 }

/** Something protected that somebody has bought. */
export type StreamSale = { shop: Shop; base: string; owned: Wire }

const JSON_ONLY = { accept: 'application/json' }

/** What a playlist names beside itself. */
export const beside = (url: string, name: string) => url.replace('main.m3u8', name)

export type Listed = { uri: string; key: string; iv: Buffer; seconds: number }

function readTrack(text: string): Listed[] {
  const pattern =
    /#EXT-X-KEY:METHOD=(?:AES-128|AES-256-CTR),URI="([^"]+)",IV=0x([0-9a-f]{32})\n#EXTINF:([\d.]+),\n(\S+)/g
  return [...text.matchAll(pattern)].map(([, key = '', iv = '', seconds, uri = '']) => ({
    uri,
    key,
    iv: Buffer.from(iv, 'hex'),
    seconds: Number(seconds),
  }))
}

/** A segment whose samples are encrypted, with the name of its key and the beginning that it needs. */
export type ListedSamples = { uri: string; init: string; kid: string }

function readSamples(text: string): ListedSamples[] {
  const listed: ListedSamples[] = []
  let [kid, init] = ['', '']
  for (const line of text.split('\n')) {
    kid =
      /^#EXT-X-KEY:METHOD=SAMPLE-AES,.*KEYFORMAT="org\.w3\.clearkey".*KEYID=0x([0-9a-f]{32})$/.exec(line)?.[1] ?? kid
    init = /^#EXT-X-MAP:URI="([^"]+)"$/.exec(line)?.[1] ?? init
    if (/^[^#]+\.m4s$/.test(line)) listed.push({ uri: line, init, kid: Buffer.from(kid, 'hex').toString('base64url') })
  }
  return listed
}

/** A longer key is for counter mode. */
export function decrypt(bytes: Buffer, key: Buffer, iv: Buffer): Buffer {
  const decipher = createDecipheriv(key.length === 16 ? 'aes-128-cbc' : 'aes-256-ctr', key, iv)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}

/** A page that says what is wrong is no JSON. */
function parsed(text: string): Wire {
  return text.startsWith('{') ? JSON.parse(text) : {}
}

/** Protected films on a service, and what players fetch of them. */
export function streaming(service: Service) {
  /** A protected film that somebody has bought, after it was packed. */
  async function aSale(terms: object = {}, film?: Buffer | OwnedFile[], product: object = {}): Promise<StreamSale> {
    const shop = await service.openShop()
    const base = await baseOf(shop)
    const files = Array.isArray(film) ? film : [{ bytes: film ?? (await aFilm()), name: 'film.mp4', role: 'main_sd' }]
    const owned = await ownedContent(service, shop, {
      files,
      terms: { ...STREAM_TERMS, ...terms },
      product: { drm_protected: true, ...product },
    })
    await service.runJobs()
    return { shop, base, owned }
  }

  const enter = ({ shop, base, owned }: StreamSale) => enterShop(service, shop, base, owned.customer)

  async function play({ base, owned }: StreamSale, visitor: Visitor, form: Record<string, string> = {}): Promise<Wire> {
    const answer = await visitor.post(`${base}/my-content/${owned.id}/play`, form, JSON_ONLY)
    return { status: answer.status, ...(answer.status === 200 ? JSON.parse(answer.text).source : {}) }
  }

  /** What a browser with the cookies of the visitor gets. */
  async function fetchBytes(visitor: Visitor, path: string, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, service.url), {
      headers: { cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; '), ...headers },
      redirect: 'manual',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
  }

  async function listOf(visitor: Visitor, url: string, track = '0-v'): Promise<Listed[]> {
    const list = await fetchBytes(visitor, beside(url, `${track}.m3u8`))
    assert.equal(list.status, 200)
    return readTrack(list.text)
  }

  const askKey = (visitor: Visitor, url: string, name = '0-0.key', headers: Record<string, string> = {}) =>
    fetchBytes(visitor, beside(url, name), headers)

  /** Why a key is refused. */
  async function reasonOf(visitor: Visitor, url: string, headers: Record<string, string> = {}, name = '0-0.key') {
    const { status, text } = await askKey(visitor, url, name, headers)
    assert.equal(status, 403, text)
    const { code, reason } = JSON.parse(text)
    assert.ok(reason.length > 10)
    return code
  }

  async function listSamples(visitor: Visitor, url: string, track = '0-v'): Promise<ListedSamples[]> {
    const list = await fetchBytes(visitor, beside(url, `${track}-cbcs.m3u8`))
    assert.equal(list.status, 200)
    return readSamples(list.text)
  }

  /** Asks for keys as a browser does for W3C Clear Key. */
  async function askLicense(visitor: Visitor, url: string, request: object, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(beside(url, 'license'), service.url), {
      method: 'POST',
      headers: {
        cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: JSON.stringify(request),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  return { aSale, enter, play, fetchBytes, listOf, listSamples, askKey, askLicense, reasonOf }
}
