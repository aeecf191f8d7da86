import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { getEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import type { PackingFacts } from '#rights/packing/state.ts'
import { fileNotFound, fileNotReady } from '../errors.ts'
import { isStreamed, protectionOf } from '../protection.rules.ts'
import { contentFilesOf } from '../queries.ts'
import { inOrder, isPublic, isReady } from '../rules.ts'
import type { ContentFileState, FileOfPurchase, Grant } from '../state.ts'

const SAMPLE_FILES_MAX = 500

/** What is for everybody, or for the company itself. */
const OPEN = { protection: null, is_streamed: false } as const

/** The product says whether it has DRM; once it is deleted, its files stay as protected as they were. */
type Stored = Omit<FileOfPurchase, 'protection' | 'is_streamed'> & {
  has_drm: boolean
  packing_state: PackingFacts['state'] | null
  packing_fault: PackingFacts['fault']
}

/** The files of the product of an entitlement, also removed ones. A mirrored product has those of its original. */
const filesOfEntitlement = prepare((db: Db, companyId: number, id: number) =>
  sql<Stored>`select file.*, blob.key,
      coalesce((select product.drm_protected from products as product
        where product.company_id = file.company_id and product.id = file.product_key),
        exists (select from protected_publications as publication where publication.company_id = file.company_id
          and publication.parts @> jsonb_build_array(jsonb_build_object('sha256', file.sha256)))
        or packed.state is not null) as has_drm, packed.state as packing_state, packed.fault as packing_fault,
      coalesce((select license.stamp from licenses as license
        where license.id = entitlement.license_id
          and license.company_id in (0, entitlement.company_id, entitlement.content_company_id)), 0) as stamp
    from entitlements as entitlement
    join content_files as file
      on file.company_id = entitlement.content_company_id and file.product_key = entitlement.content_key
    join content_blobs as blob on blob.company_id = file.company_id and blob.sha256 = file.sha256
    left join packed_files as packed on packed.company_id = blob.company_id and packed.source_key = blob.key
    where entitlement.company_id = ${companyId} and entitlement.id = ${id} and file.status = 'ready'
      and not exists (select from customers as customer
        where customer.id = entitlement.customer_id and customer.state <> 'enabled')`.compile(db),
)

/** An entitlement with the files of its product, in one round trip. One of another company or customer is not found. */
export async function getGrant(db: Db, viewer: Viewer, ref: string): Promise<Grant> {
  const id = /^\d{1,15}$/.test(ref) ? Number(ref) : 0
  const [{ entitlement, language }, files] = await Promise.all([
    getEntitlement(db, viewer, ref),
    filesOfEntitlement(db, viewer.companyId, id),
  ])
  return {
    entitlement,
    language,
    files: files.map(({ has_drm, packing_state: state, packing_fault: fault, ...file }) => {
      const packing = state === null ? null : { state, fault }
      const protection = has_drm ? protectionOf(file, packing, entitlement) : null
      const is_streamed = protection !== null && isStreamed(file, packing)
      // What is protected names nobody: a reading app knows its customer.
      return { ...file, protection, is_streamed, stamp: protection === null ? file.stamp : 0 }
    }),
  }
}

const ENTITLEMENTS_MAX = 20

const entitlementsWith = prepare((db: Db, companyId: number, customerId: number, fileId: number) =>
  sql<Columns<'entitlements', 'id'>>`select entitlement.id from entitlements as entitlement
    join content_files as file
      on file.company_id = entitlement.content_company_id and file.product_key = entitlement.content_key
    where entitlement.company_id = ${companyId} and entitlement.customer_id = ${customerId} and file.id = ${fileId}
    order by entitlement.id limit ${sql.lit(ENTITLEMENTS_MAX)}`.compile(db),
)

/** The entitlements of a customer to the product of a file, the oldest first. */
export async function readEntitlementsWith(
  db: Db,
  { companyId, customerId }: { companyId: number; customerId: number },
  fileId: number,
): Promise<number[]> {
  return (await entitlementsWith(db, companyId, customerId, fileId)).map(({ id }) => id)
}

const isFree = sql`not exists (
  select from (
    select json_array_elements(price.currencies) union all select json_array_elements(price.countries)) as amount (entry)
  where coalesce((entry ->> 'cents')::bigint, 1) <> 0)`

/** A shop gives its sample to everybody, if the company sells it for nothing: naming a product does not give it away. */
const isSample = condition`exists (select from theme_settings as setting
  join product_bindings as binding
    on binding.company_id = setting.company_id and binding.product_key = setting.sample_product_id
      and (setting.sample_product_license_id is null or binding.license_id = setting.sample_product_license_id)
  join prices as price on price.company_id = binding.company_id and price.id = binding.price_id and price.valid = 1
  where setting.company_id = content_files.company_id and setting.sample_product_id = content_files.product_key
    and setting.enabled and ${isFree})`

const withKey = prepare((db: Db, companyId: number, id: number) =>
  contentFilesOf(db, companyId)
    .leftJoin('content_blobs as blob', (join) =>
      join.onRef('blob.company_id', '=', 'content_files.company_id').onRef('blob.sha256', '=', 'content_files.sha256'),
    )
    .selectAll('content_files')
    .select([
      'blob.key',
      condition`exists (select from products as product where product.company_id = content_files.company_id
        and product.id = content_files.product_key and product.published
        and (content_files.role <> 'trial' or product.allow_download_trial = 1))`.as('is_shown'),
      isSample.as('is_sample'),
    ])
    .$narrowType<Pick<ContentFileState, 'role' | 'status' | 'fault'>>()
    .where('content_files.id', '=', id)
    .where('content_files.removed_at', 'is', null)
    .where(condition`exists (select from products as product
      where product.company_id = content_files.company_id and product.id = content_files.product_key)`)
    .compile(),
)

/**
 * A trailer or preview of a product that is shown, its trial if it allows that, or a file of a shop's sample; anything else is not found without a
 * signature.
 */
export async function getPublicFile(db: Db, companyId: number, id: number): Promise<FileOfPurchase> {
  const [file] = await withKey(db, companyId, id)
  if (file === undefined || file.key === null || !file.is_shown || !isReady(file)) throw fileNotFound(String(id))
  if (!isPublic(file) && !file.is_sample) throw fileNotFound(String(id))
  return { ...file, key: file.key, stamp: 0, ...OPEN }
}

/** The files of a product that is the sample of a shop and costs nothing; an empty list for any other product. */
export async function readSampleFiles(db: Db, companyId: number, productKey: number): Promise<FileOfPurchase[]> {
  const files = await contentFilesOf(db, companyId)
    .innerJoin('content_blobs as blob', (join) =>
      join.onRef('blob.company_id', '=', 'content_files.company_id').onRef('blob.sha256', '=', 'content_files.sha256'),
    )
    .selectAll('content_files')
    .select(['blob.key', sql<number>`0`.as('stamp')])
    .$narrowType<Pick<FileOfPurchase, 'role' | 'status' | 'fault' | 'content_type' | 'size' | 'sha256' | 'ready_at'>>()
    .where('content_files.product_key', '=', productKey)
    .where('content_files.status', '=', 'ready')
    .where('content_files.removed_at', 'is', null)
    .where(isSample)
    .limit(SAMPLE_FILES_MAX)
    .execute()
  return files
    .filter((file) => !isPublic(file))
    .sort(inOrder)
    .map((file) => ({ ...file, ...OPEN }))
}

/** A file of the company for its own apps and users. */
export async function getOwnFile(db: Db, companyId: number, ref: string): Promise<FileOfPurchase> {
  const [file] = /^\d{1,15}$/.test(ref) ? await withKey(db, companyId, Number(ref)) : []
  if (file === undefined) throw fileNotFound(ref)
  if (file.key === null || !isReady(file)) throw fileNotReady(file.name)
  return { ...file, key: file.key, stamp: 0, ...OPEN }
}
