import type { Db, Tx } from '#platform/db/database.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { deviceLicenseNotFound } from './errors.ts'
import type { DeviceLicense } from './state.ts'

/** Every read of the licenses of devices starts here, so none can forget the company. */
function deviceLicensesOf(db: Db, companyId: number) {
  return db.selectFrom('device_licenses').where('device_licenses.company_id', '=', companyId)
}

type Typed = Pick<DeviceLicense, 'public_key' | 'claims' | 'closed_as'>

const byId = prepare((db: Db, companyId: number, id: number) =>
  deviceLicensesOf(db, companyId).selectAll().$narrowType<Typed>().where('device_licenses.id', '=', id).compile(),
)

const isId = (ref: string) => /^\d{1,15}$/.test(ref)

/** A license of an entitlement; one of another entitlement is not found. Whoever asks may see the entitlement. */
export async function getDeviceLicense(
  db: Db,
  { company_id, id }: { company_id: number; id: number },
  ref: string,
): Promise<DeviceLicense> {
  const [license] = isId(ref) ? await byId(db, company_id, Number(ref)) : []
  if (license?.entitlement_id !== id) throw deviceLicenseNotFound()
  return license
}

/** The license of a file that a device has and has not returned; lock its entitlement first. */
export function findOpenLicense(
  tx: Tx,
  { company_id, id }: { company_id: number; id: number },
  fileId: number,
  device: string,
): Promise<DeviceLicense | undefined> {
  return deviceLicensesOf(tx, company_id)
    .selectAll()
    .$narrowType<Typed>()
    .where('device_licenses.entitlement_id', '=', id)
    .where('device_licenses.file_id', '=', fileId)
    .where('device_licenses.device_id', '=', device)
    .where('device_licenses.closed_at', 'is', null)
    .executeTakeFirst()
}

/** Does a device of a customer play something by a license for another key, at this time? */
export async function hasOtherKey(
  tx: Tx,
  { company_id, customer_id }: { company_id: number; customer_id: number },
  { device, thumbprint }: { device: string; thumbprint: string },
  now: Date,
): Promise<boolean> {
  const other = await deviceLicensesOf(tx, company_id)
    .select('device_licenses.id')
    .where('device_licenses.customer_id', '=', customer_id)
    .where('device_licenses.device_id', '=', device)
    .where('device_licenses.closed_at', 'is', null)
    .where('device_licenses.ends_at', '>', now)
    .where('device_licenses.thumbprint', '<>', thumbprint)
    .executeTakeFirst()
  return other !== undefined
}

const ofEntitlement = prepareList((db: Db, { companyId, id }: { companyId: number; id: number }) =>
  deviceLicensesOf(db, companyId).selectAll().$narrowType<Typed>().where('device_licenses.entitlement_id', '=', id),
)

/** The licenses of an entitlement, the oldest first. */
export function listDeviceLicenses(db: Db, companyId: number, entitlementId: number): RowList<DeviceLicense> {
  return ofEntitlement(db, { companyId, id: entitlementId })
}

const all = prepareList((db: Db, { companyId }: { companyId: number }) =>
  deviceLicensesOf(db, companyId).selectAll().$narrowType<Typed>(),
)

/** All licenses of the devices of a company's customers. */
export function listAllDeviceLicenses(db: Db, companyId: number): RowList<DeviceLicense> {
  return all(db, { companyId })
}
