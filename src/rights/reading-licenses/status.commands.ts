import type { Tx } from '#platform/db/database.ts'
import { releaseDevices, useEntitlement } from '#rights/entitlements/commands.ts'
import { nameDevice } from '#rights/entitlements/devices/commands.ts'
import { lockEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { refusalInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import { readQuestion, rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { readerDevice } from './devices.secrets.ts'
import {
  alreadyReturned,
  notRenewable,
  notReturnable,
  readingClosed,
  registrationRefused,
  renewalDateWrong,
  returnTooLate,
  tooManyReadingEvents,
} from './errors.ts'
import { EVENTS_MAX, lockLicense, readEvents } from './queries.ts'
import { isOpen, isReturnable, licenseStatus, registeredDevices, renew } from './rules.ts'
import type { EventType, LicenseEvent, ReadingLicense } from './state.ts'

/** The device that a reading app says it is on. */
export type ReaderDevice = { id: string; name: string }

const NO_APP = 0

type Locked = {
  license: ReadingLicense
  events: LicenseEvent[]
  entitlement: EntitlementState
  language: string
  viewer: Viewer
}

/** Locks a license with its entitlement, so that two that want something of it wait for each other. */
async function lock(tx: Tx, { company_id, entitlement_id, customer_id, ...rest }: ReadingLicense): Promise<Locked> {
  const viewer = { companyId: company_id, customerId: customer_id }
  const { entitlement, language } = await lockEntitlement(tx, viewer, String(entitlement_id))
  const license = await lockLicense(tx, { company_id, entitlement_id, customer_id, ...rest })
  return { license, events: await readEvents(tx, license, EVENTS_MAX), entitlement, language, viewer }
}

async function addEvent(
  tx: Tx,
  { license: { company_id, id }, events }: Locked,
  type: EventType,
  device: ReaderDevice,
  now: Date,
): Promise<void> {
  if (events.length >= EVENTS_MAX) throw tooManyReadingEvents()
  await tx
    .insertInto('reading_license_events')
    .values({ company_id, license_id: id, type, device_id: device.id, device_name: device.name, created_at: now })
    .execute()
}

function update(tx: Tx, { company_id, id }: ReadingLicense) {
  return tx.updateTable('reading_licenses').where('company_id', '=', company_id).where('id', '=', id)
}

/** What is refused without a throw, because the engine may have something to keep about it. */
export type Registered = { kind: 'registered' } | { kind: 'refused'; reason: string }

/** A reading app has opened a license: it takes the place of a device, by the rights engine. */
export async function registerReader(
  tx: Tx,
  known: ReadingLicense,
  device: ReaderDevice,
  now: Date,
): Promise<Registered> {
  const locked = await lock(tx, known)
  const { license, events, entitlement, language, viewer } = locked
  const rights = rightsOf(entitlement)
  if (registeredDevices(events).some(({ device_id }) => device_id === device.id)) return { kind: 'registered' }
  if (!isOpen(licenseStatus(license, events, rights, now))) throw registrationRefused(closedReason(locked, now))
  const question = { ...readQuestion({ action: 'play' }, NO_APP), device: readerDevice(device.id) }
  const options = { holdUntil: null }
  const { code } = await useEntitlement(tx, viewer, String(entitlement.id), question, now, options)
  if (code !== 'allowed') return { kind: 'refused', reason: refusalInWords(code, rights, now, language) }
  await nameDevice(tx, { companyId: license.company_id, customerId: license.customer_id }, question.device, device.name)
  await addEvent(tx, locked, 'register', device, now)
  await update(tx, license).set({ status_updated_at: now }).execute()
  return { kind: 'registered' }
}

/** Why a license is no longer open, in the language of its customer. */
function closedReason({ license, entitlement, language }: Locked, now: Date): string {
  const rights = rightsOf(entitlement)
  const { refusal } = statusOf(rights, now)
  return license.returned_at !== null || refusal === null
    ? alreadyReturned().message
    : refusalInWords(refusal, rights, now, language)
}

/** Moves the end of a license, as far as the entitlement reaches. */
export async function renewLicense(
  tx: Tx,
  known: ReadingLicense,
  device: ReaderDevice,
  wanted: string | undefined,
  now: Date,
): Promise<void> {
  const locked = await lock(tx, known)
  const { license, entitlement } = locked
  if (license.returned_at !== null) throw alreadyReturned()
  const rights = rightsOf(entitlement)
  if (statusOf(rights, now).refusal !== null) throw readingClosed(closedReason(locked, now))
  const renewal = renew(license, rights, wanted === undefined ? undefined : readEnd(wanted), now)
  if (renewal.kind === 'not renewable') throw notRenewable()
  if (renewal.kind === 'wrong end') throw renewalDateWrong()
  await addEvent(tx, locked, 'renew', device, now)
  await update(tx, license).set({ ends_at: renewal.end, updated_at: now, status_updated_at: now }).execute()
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/

/** Reading apps send times with fractions, which are cut. */
function readEnd(text: string): Date {
  if (!TIME.test(text)) throw renewalDateWrong()
  const time = new Date(text.replace(/\.\d+/, ''))
  if (Number.isNaN(time.getTime())) throw renewalDateWrong()
  return time
}

/**
 * Takes a license away from all reading apps that have opened it, for the buyer: a license that was passed on registers devices until
 * there is no place left. Those who have it open go on until they ask for its status.
 */
export async function removeReaders(tx: Tx, known: ReadingLicense, now: Date): Promise<void> {
  const { license, events, entitlement, viewer } = await lock(tx, known)
  const devices = registeredDevices(events).map(({ device_id }) => readerDevice(device_id))
  await releaseDevices(tx, viewer, String(entitlement.id), devices, now)
  await tx
    .deleteFrom('reading_license_events')
    .where('company_id', '=', license.company_id)
    .where('license_id', '=', license.id)
    .where('type', '=', 'register')
    .execute()
  await update(tx, license).set({ status_updated_at: now }).execute()
}

/** Gives a license back before its end: all devices that hold it by this license are free again. */
export async function returnLicense(tx: Tx, known: ReadingLicense, device: ReaderDevice, now: Date): Promise<void> {
  const locked = await lock(tx, known)
  const { license, events, entitlement, viewer } = locked
  if (license.returned_at !== null) throw alreadyReturned()
  const rights = rightsOf(entitlement)
  if (licenseStatus(license, events, rights, now) === 'expired') throw returnTooLate()
  if (statusOf(rights, now).refusal !== null) throw readingClosed(closedReason(locked, now))
  if (!isReturnable(license, rights)) throw notReturnable()
  const devices = registeredDevices(events).map(({ device_id }) => readerDevice(device_id))
  await releaseDevices(tx, viewer, String(entitlement.id), devices, now)
  await addEvent(tx, { ...locked, events: [] }, 'return', device, now)
  await update(tx, license).set({ returned_at: now, status_updated_at: now }).execute()
}
