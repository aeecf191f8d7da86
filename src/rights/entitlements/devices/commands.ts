import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { deviceNotFound, tooManyDevices } from '../errors.ts'
import { lockHeldBy } from '../queries.ts'
import { withoutHold } from '../rights/rules.ts'
import { saveEntitlements } from '../rows.commands.ts'
import { rightsOf } from '../rules.ts'
import { presentDevice } from './present.ts'
import { countDevices, type DeviceOwner, findDevice, getDevice } from './queries.ts'
import type { DeviceInput, NewDeviceInput } from './schema.ts'
import type { DeviceState } from './state.ts'

/** More than any household has. A player that makes up a new id every time would otherwise fill the table. */
export const DEVICES_MAX = 1000

const upsert = prepareWrite(
  'upsert',
  'devices',
  (tx: Tx, companyId: number, customerId: number, deviceId: string, name: string, clientTime: Date | null, now: Date) =>
    sql`insert into devices (company_id, customer_id, device_id, name, created_at, last_seen_at, last_client_time)
      values (${companyId}, ${customerId}, ${deviceId}, ${name}, ${now}, ${now}, ${clientTime}::timestamptz)
      on conflict (company_id, customer_id, device_id) do update set last_seen_at = excluded.last_seen_at,
        last_client_time = greatest(devices.last_client_time, excluded.last_client_time), removed_at = null,
        name = case when excluded.name = '' then devices.name else excluded.name end`.compile(tx),
)

/** Notes that a device was used. A new one is registered by this. */
export async function noteDevice(
  tx: Tx,
  { companyId, customerId }: DeviceOwner,
  device: { device_id: string; name?: string; client_time: Date | null },
  now: Date,
): Promise<void> {
  await upsert(tx, companyId, customerId, device.device_id, device.name ?? '', device.client_time, now)
}

export async function assertRoom(tx: Tx, owner: DeviceOwner): Promise<void> {
  if ((await countDevices(tx, owner)) >= DEVICES_MAX) throw tooManyDevices(DEVICES_MAX)
}

function checkTexts(input: object): void {
  const report = new FieldReport()
  reportUnstorable(input, report)
  report.throwIfAny()
}

/** Registers a device by its id. One that is known gets the name. */
export async function registerDevice(
  tx: Tx,
  owner: DeviceOwner,
  input: NewDeviceInput,
  now: Date,
): Promise<Written<DeviceState>> {
  checkTexts(input)
  const known = await findDevice(tx, owner, input.device_id)
  if (known === undefined) await assertRoom(tx, owner)
  await noteDevice(tx, owner, { device_id: input.device_id, name: input.name?.trim() ?? '', client_time: null }, now)
  const state = await findDevice(tx, owner, input.device_id)
  if (state === undefined) throw deviceNotFound(input.device_id)
  return { state, document: asciiJson(presentDevice(state)) }
}

/** Names a device that has no name yet, so that the customer recognises it. A name that the customer gave it stays. */
export async function nameDevice(tx: Tx, owner: DeviceOwner, deviceId: string, name: string): Promise<void> {
  await tx
    .updateTable('devices')
    .set({ name })
    .where('company_id', '=', owner.companyId)
    .where('customer_id', '=', owner.customerId)
    .where('device_id', '=', deviceId)
    .where('name', '=', '')
    .execute()
}

export async function renameDevice(
  tx: Tx,
  owner: DeviceOwner,
  ref: string,
  { name }: DeviceInput,
): Promise<Written<DeviceState>> {
  checkTexts({ name })
  const device = await getDevice(tx, owner, ref)
  await tx
    .updateTable('devices')
    .set({ name: name.trim() })
    .where('company_id', '=', owner.companyId)
    .where('id', '=', device.id)
    .execute()
  const state = { ...device, name: name.trim() }
  return { state, document: asciiJson(presentDevice(state)) }
}

/** Removes a device. What it plays is free for other devices at once. */
export async function removeDevice(tx: Tx, author: Author, owner: DeviceOwner, ref: string, now: Date): Promise<void> {
  const device = await getDevice(tx, owner, ref)
  const held = await lockHeldBy(tx, owner, device.device_id)
  const freed = held.map(({ entitlement, language }) => {
    const { usage } = withoutHold(rightsOf(entitlement), device.device_id, now)
    return { entitlement: { ...entitlement, usage, updated_at: now }, language }
  })
  await saveEntitlements(tx, owner.companyId, freed, now)
  await tx
    .updateTable('devices')
    .set({ removed_at: now })
    .where('company_id', '=', owner.companyId)
    .where('id', '=', device.id)
    .execute()
  await recordChange(tx, author, 'device removed', `${device.name || device.device_id} (${device.id})`, now)
}

/** Deletes what a company knows of a customer's devices. What was bought stays, with the order that it belongs to. */
export async function forgetDevices(tx: Tx, { companyId, customerId }: DeviceOwner): Promise<void> {
  await tx.deleteFrom('devices').where('company_id', '=', companyId).where('customer_id', '=', customerId).execute()
}
