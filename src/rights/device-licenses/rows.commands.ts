import type { Tx } from '#platform/db/database.ts'
import type { DeviceClaims, DeviceLicense } from './state.ts'

type NewLicense = Omit<DeviceLicense, 'id' | 'played_until' | 'closed_at' | 'closed_as'>

export async function insertLicense(tx: Tx, license: NewLicense): Promise<DeviceLicense> {
  const { id } = await tx
    .insertInto('device_licenses')
    .values({
      ...license,
      public_key: JSON.stringify(license.public_key),
      claims: JSON.stringify(license.claims),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...license, id, played_until: null, closed_at: null, closed_as: null }
}

type Ref = Pick<DeviceLicense, 'company_id' | 'id'>

function update(tx: Tx, { company_id, id }: Ref) {
  return tx.updateTable('device_licenses').where('company_id', '=', company_id).where('id', '=', id)
}

/** Writes down what a device is told now. */
export async function saveClaims(
  tx: Tx,
  license: DeviceLicense,
  claims: DeviceClaims,
  ends_at: Date,
  now: Date,
): Promise<DeviceLicense> {
  await update(tx, license)
    .set({ claims: JSON.stringify(claims), ends_at, refreshed_at: now })
    .execute()
  return { ...license, claims, ends_at, refreshed_at: now }
}

export async function closeLicense(
  tx: Tx,
  license: DeviceLicense,
  closed_as: 'returned' | 'replaced',
  closed_at: Date,
): Promise<DeviceLicense> {
  await update(tx, license).set({ closed_as, closed_at }).execute()
  return { ...license, closed_as, closed_at }
}

export async function savePlayedUntil(tx: Tx, license: Ref, played_until: Date): Promise<void> {
  await update(tx, license).set({ played_until }).execute()
}
