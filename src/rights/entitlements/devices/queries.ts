import { getAccount } from '#people/customers/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { deviceNotFound, otherCustomer } from '../errors.ts'
import type { Viewer } from '../queries.ts'
import type { DeviceState } from './state.ts'

/** The customer of one company whose devices are meant. */
export type DeviceOwner = { companyId: number; customerId: number }

/** The customer with this token or id. A caller who acts for one customer finds no other. */
export async function getOwner(
  db: Db,
  { companyId, customerId }: Viewer,
  ref: string,
): Promise<DeviceOwner & { token: string; language: string }> {
  const { id, token, language } = await getAccount(db, companyId, ref)
  if (customerId !== null && customerId !== id) throw otherCustomer()
  return { companyId, customerId: id, token, language }
}

/** Every read of devices starts here, so none can forget the company and the customer. Removed ones keep their rows. */
function allDevicesOf(db: Db, { companyId, customerId }: DeviceOwner) {
  return db
    .selectFrom('devices')
    .where('devices.company_id', '=', companyId)
    .where('devices.customer_id', '=', customerId)
}

function devicesOf(db: Db, owner: DeviceOwner) {
  return allDevicesOf(db, owner).where('devices.removed_at', 'is', null)
}

const columns = [
  'devices.company_id',
  'devices.id',
  'devices.customer_id',
  'devices.device_id',
  'devices.name',
  'devices.created_at',
  'devices.last_seen_at',
  'devices.last_client_time',
] as const

const listed = prepareList((db: Db, { companyId, customerId }: { companyId: number; customerId: number }) =>
  devicesOf(db, { companyId, customerId }).select(columns),
)

export function listDevices(db: Db, { companyId, customerId }: DeviceOwner): RowList<DeviceState> {
  return listed(db, { companyId, customerId })
}

/** The place of a device in the list of those that were used last. */
export type DevicePlace = { seconds: number; id: number }

const lastUsed = prepare((db: Db, companyId: number, customerId: number, seconds: number, id: number, limit: number) =>
  devicesOf(db, { companyId, customerId })
    .select(columns)
    .where(condition`(devices.last_seen_at, devices.id) < (to_timestamp(${seconds}::float8), ${id}::bigint)`)
    .orderBy('devices.last_seen_at', 'desc')
    .orderBy('devices.id', 'desc')
    .limit(limit)
    .compile(),
)

/** Devices of a customer after a place, the last used first. */
export function readLastUsed(
  db: Db,
  { companyId, customerId }: DeviceOwner,
  { seconds, id }: DevicePlace,
  limit: number,
): Promise<DeviceState[]> {
  return lastUsed(db, companyId, customerId, seconds, id, limit)
}

const countOf = prepare((db: Db, companyId: number, customerId: number) =>
  allDevicesOf(db, { companyId, customerId })
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** How many rows there are, those of removed devices included. */
export async function countDevices(db: Db, { companyId, customerId }: DeviceOwner): Promise<number> {
  const [row] = await countOf(db, companyId, customerId)
  return row?.count ?? 0
}

/** A device by its number. */
export async function getDevice(db: Db, owner: DeviceOwner, ref: string): Promise<DeviceState> {
  const device = /^\d{1,15}$/.test(ref)
    ? await devicesOf(db, owner).select(columns).where('devices.id', '=', Number(ref)).executeTakeFirst()
    : undefined
  if (device === undefined) throw deviceNotFound(ref)
  return device
}

/** Locks a device until the transaction ends. */
export async function lockDevice(tx: Tx, owner: DeviceOwner, ref: string): Promise<void> {
  const { id } = await getDevice(tx, owner, ref)
  await devicesOf(tx, owner).select('devices.id').where('devices.id', '=', id).forUpdate().execute()
}

/** A device by the id that the player gave it. */
export function findDevice(db: Db, owner: DeviceOwner, deviceId: string): Promise<DeviceState | undefined> {
  return devicesOf(db, owner).select(columns).where('devices.device_id', '=', deviceId).executeTakeFirst()
}
