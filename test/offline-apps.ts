import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createClient } from '#client/client.ts'
import {
  createDeviceKeys,
  type DeviceKeys,
  type DeviceLicenseDecision,
  openDeviceLicense,
  type StoredLicense,
  takeDeviceLicense,
} from '#client/device-licenses.ts'
import { fetchHeld } from './contract.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aFilm } from './media.ts'
import { type OwnedFile, ownedContent } from './owned-content.ts'

/** Rules without a limit, under protection. */
const RULES = { drm: 1, allow_play: 1, total_concurrent_devices: -1, annual_concurrent_devices: -1 }

let film: Promise<Buffer> | undefined

/** The film that tests download. It is packed once for each shop. */
export const offlineFilm = () => {
  film ??= aFilm({ version: 'sd', languages: ['eng', 'deu'] })
  return film
}

export type Owned = { shop: Shop; id: number; customer: Wire; files: Wire[]; product: { product_id: string } }

type Wanted = { terms?: object; files?: OwnedFile[]; shop?: Shop; customer?: Wire; product?: object }

/** A protected film that a customer has bought, after it was packed. */
export async function anOwnedFilm(
  service: Service,
  { terms, files, shop, product, ...rest }: Wanted = {},
): Promise<Owned> {
  const owner = shop ?? (await service.openShop())
  const owned = await ownedContent(service, owner, {
    files: files ?? [{ bytes: await offlineFilm(), name: 'film.mp4', role: 'main_sd' }],
    terms: { ...RULES, ...terms },
    product: { drm_protected: true, ...product },
    ...rest,
  })
  await service.runJobs()
  return { shop: owner, ...owned }
}

/** The client of an app, whose requests and answers are held to the OpenAPI document. */
export const clientOf = (service: Service, { token }: Shop) =>
  createClient({ baseUrl: service.url, accessToken: token, fetch: fetchHeld as typeof fetch, maxRetries: 0 })

export type Device = { device: string; keys: DeviceKeys }

export const aDevice = async (device = 'tablet'): Promise<Device> => ({ device, keys: await createDeviceKeys() })

/** Asks for a license as the client does. */
export function take(service: Service, { shop, id }: Pick<Owned, 'shop' | 'id'>, device: Device, fileId?: number) {
  const now = service.clock.now()
  return takeDeviceLicense(clientOf(service, shop), id, {
    ...device,
    now,
    ...(fileId === undefined ? {} : { fileId }),
  })
}

export async function taken(
  service: Service,
  owned: Pick<Owned, 'shop' | 'id'>,
  device: Device,
): Promise<StoredLicense> {
  const { license, decision } = await take(service, owned, device)
  assert.ok(license, JSON.stringify(decision))
  return license
}

/** Why a customer does not get a license. */
export async function refusal(service: Service, owned: Pick<Owned, 'shop' | 'id'>, device: Device): Promise<string> {
  const { license, decision } = await take(service, owned, device)
  assert.equal(license, undefined)
  assert.ok((decision.reason ?? '').length > 10)
  return decision.code
}

export type Opened = Extract<DeviceLicenseDecision, { allowed: true }>

export async function opened(service: Service, license: StoredLicense, { keys }: Device): Promise<Opened> {
  const decision = await openDeviceLicense(license, keys, { now: service.clock.now() })
  assert.ok(decision.allowed, JSON.stringify(decision))
  return decision
}

/** What the address of a track answers. */
export async function fetchTrack(
  service: Service,
  shop: Shop,
  { id, entitlementId }: Pick<StoredLicense, 'id' | 'entitlementId'>,
  track: string,
  { method = 'GET', ...headers }: Record<string, string> & { method?: string } = {},
) {
  const response = await fetchHeld(
    `${service.url}/api/entitlements/${entitlementId}/device_licenses/${id}/tracks/${track}`,
    { method, headers: { authorization: `Bearer ${shop.token}`, ...headers } },
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const reason = response.ok || bytes.length === 0 ? undefined : JSON.parse(bytes.toString()).reason
  return { status: response.status, headers: response.headers, bytes, reason }
}

type Stored = { file_id: number; entitlement_id: number; customer_id: number }

/** A license as it is stored, of something that was never packed. */
export async function aStoredLicense(service: Service, { companyId }: Shop, of: Stored): Promise<{ id: number }> {
  const now = service.clock.now()
  return service.db
    .insertInto('device_licenses')
    .values({
      company_id: companyId,
      uid: randomUUID(),
      device_id: 'own',
      public_key: '{}',
      thumbprint: 'own',
      file_name: 'own.bin',
      packed_company_id: companyId,
      packed_id: 1,
      claims: '{"exp":0,"tracks":[]}',
      ends_at: new Date(now.getTime() + 86_400_000),
      issued_at: now,
      refreshed_at: now,
      ...of,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
