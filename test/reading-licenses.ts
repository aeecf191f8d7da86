import assert from 'node:assert/strict'
import { anEpub } from './books.ts'
import type { Wire } from './factories.ts'
import type { Answer, Service, Shop } from './harness.ts'
import { ownedContent } from './owned-content.ts'

type Wanted = {
  terms?: object
  files?: { bytes: Buffer; name: string }[]
  product?: object
  shop?: Shop
  customer?: Wire
}

/** A protected book that a customer has bought. */
export async function aProtectedBook(service: Service, { terms, files, product, shop, customer }: Wanted = {}) {
  const owner = shop ?? (await service.openShop())
  const owned = await ownedContent(service, owner, {
    files: files ?? [{ bytes: anEpub(), name: 'tern.epub' }],
    terms: { drm: 1, total_downloads: 2, annual_downloads: -1, ...terms },
    product: { product_type: 16, drm_protected: true, ...product },
    ...(customer === undefined ? {} : { customer }),
  })
  return { shop: owner, ...owned }
}

/** Does what waits for the worker while the worker works. */
export async function whileWorking<Result>(service: Service, asked: Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  const awaited = asked.then((value) => {
    result = { value }
  })
  while (result === undefined) await Promise.race([awaited, service.runJobs()])
  return result.value
}

/** Asks for a license for reading apps. */
export function askForLicense(service: Service, shop: Shop, id: number, wanted: object = {}): Promise<Answer> {
  return whileWorking(service, shop.post(`/api/entitlements/${id}/reading_license.json`, { reading_license: wanted }))
}

export async function aReadingLicense(service: Service, shop: Shop, id: number, wanted?: object): Promise<Wire> {
  const { status, body, text } = await askForLicense(service, shop, id, wanted)
  assert.equal(status, 200, text)
  assert.ok(body.reading_license, text)
  return body.reading_license
}

export async function passphraseOf(shop: Shop, { token }: Wire): Promise<string> {
  return (await shop.get(`/api/customers/${token}/reading_passphrase.json`)).body.reading_passphrase.passphrase
}

export async function licensesOf(shop: Shop, id: number): Promise<Wire[]> {
  return (await shop.get(`/api/entitlements/${id}/reading_licenses.json`)).body.reading_licenses
}
