import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, type Columns, condition } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { numberedName, readNumberedName } from '#platform/wire/numbered-names.ts'
import { licenseIsGeneral, licenseNotFound } from './errors.ts'
import { GENERAL } from './rules.ts'
import type { LicenseState } from './state.ts'

export const LICENSES = 'licenses'
/** More licenses than anybody keeps an eye on. */
const USES_MAX = 10_000

/** Every read of licenses starts here, so none can forget the owner: a company, or none for general licenses. */
function licensesOf(db: Db, companyId: number) {
  return db.selectFrom('licenses').where('licenses.company_id', '=', companyId)
}

/**
 * The licenses that a company sees: the general ones and its own. A union finds each half by its key; an `or` would
 * not.
 */
function licensesSeenBy(db: Db, companyId: number) {
  const columns = ['licenses.id', 'licenses.valid', 'licenses.document'] as const
  const general = licensesOf(db, GENERAL).select(columns)
  return db.selectFrom(general.unionAll(licensesOf(db, companyId).select(columns)).as('seen'))
}

/**
 * The licenses of others under which the company sells mirrored products. Bindings and mirrors are read from their
 * tables, because products come after licenses in the order of folders.
 */
function licensesOfMirrors(db: Db, companyId: number) {
  return db.selectFrom('licenses').where(
    condition`(licenses.company_id, licenses.id) in (
        select mirror.owner_id, binding.license_id
        from product_mirrors as mirror
        join product_bindings as binding
          on binding.company_id = mirror.company_id and binding.product_key = mirror.product_key
        where mirror.company_id = ${companyId})`,
  )
}

const documentById = prepare((db: Db, companyId: number, id: number) =>
  sql<Columns<'licenses', 'document'>>`select document from licenses
    where id = ${id} and (company_id in (${companyId}, ${GENERAL}) or exists (
      select from product_bindings as binding
      join product_mirrors as mirror
        on mirror.company_id = binding.company_id and mirror.product_key = binding.product_key
      where binding.company_id = ${companyId} and binding.license_id = licenses.id
        and mirror.owner_id = licenses.company_id))`.compile(db),
)

/**
 * The document of a license; another company's is not found, unless a mirrored product of the company is sold under it.
 */
export async function getLicenseDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!/^\d{1,15}$/.test(ref)) throw licenseNotFound(ref)
  const [license] = await documentById(db, companyId, Number(ref))
  if (license === undefined) throw licenseNotFound(ref)
  return license.document
}

const allSeenBy = prepareList((db: Db, { company }: { company: number }) => [
  licensesOf(db, GENERAL).select(['licenses.id', 'licenses.document']),
  licensesOf(db, company).select(['licenses.id', 'licenses.document']),
  licensesOfMirrors(db, company).select(['licenses.id', 'licenses.document']),
])

/** All licenses that the company sees, including those of its mirrored products and those that are no longer valid. */
export function listLicenses(db: Db, companyId: number): DocumentList {
  return allSeenBy(db, { company: companyId })
}

const countAll = prepare((db: Db, companyId: number) => {
  const mirrored = licensesOfMirrors(db, companyId).select((select) => select.fn.countAll<number>().as('count'))
  return sql<{ count: number }>`select
    (select coalesce(sum(amount), 0) from counters where company_id = ${companyId} and resource = ${LICENSES})
    + (select count(*) from licenses where company_id = ${GENERAL}) + (${mirrored}) as count`.compile(db)
})

const countAfter = prepare((db: Db, companyId: number, after: number) => {
  const seen = licensesSeenBy(db, companyId).where('seen.id', '>', after).select('seen.id')
  const mirrored = licensesOfMirrors(db, companyId).where('licenses.id', '>', after).select('licenses.id')
  return db
    .selectFrom(seen.unionAll(mirrored).as('listed'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile()
})

/**
 * Counts the licenses of the list: the company's own by the stored counter, plus the few general ones and those of
 * mirrored products.
 */
export async function countLicenses(db: Db, companyId: number, sinceId?: number): Promise<number> {
  const [row] = sinceId === undefined ? await countAll(db, companyId) : await countAfter(db, companyId, sinceId)
  return row?.count ?? 0
}

/** Which of the ids are licenses that the company sees, and which of those are valid: a part of a larger statement. */
export function selectLicenses(db: Db, companyId: number, ids: readonly number[]) {
  return licensesSeenBy(db, companyId)
    .select(['seen.id', 'seen.valid', sql<string>`'license'`.as('kind')])
    .where('seen.id', '=', anyOf(ids))
}

/** A valid license that the company sees, by its name in any case: its own before a general one. */
export async function findLicenseByName(db: Db, companyId: number, name: string): Promise<number | undefined> {
  for (const owner of [companyId, GENERAL]) {
    const row = await licensesOf(db, owner)
      .select('licenses.id')
      .where(sql<string>`lower(licenses.name)`, '=', name.toLowerCase())
      .where('licenses.valid', '=', 1)
      .orderBy('licenses.id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
  }
  return undefined
}

/** What files call licenses: by their names, the company's own before the general ones of the same name. */
export async function readLicenseNames(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Columns<'licenses', 'id' | 'name'> & { number: number }>`select id, name, number from (
      select id, name, row_number() over (
        partition by lower(name) order by valid desc, company_id = ${GENERAL}, id
      ) as number from licenses where company_id in (${companyId}, ${GENERAL})
    ) as named where id = ${anyOf(ids)}`.execute(db)
  return new Map(rows.map(({ id, name, number }) => [id, numberedName(name, number)]))
}

/** The license that a file calls so; undefined if there is none. */
export async function findLicenseNamed(db: Db, companyId: number, name: string): Promise<number | undefined> {
  const numbered = readNumberedName(name)
  for (const { title, number } of [{ title: name, number: 1 }, ...(numbered === undefined ? [] : [numbered])]) {
    const { rows } = await sql<Columns<'licenses', 'id'>>`select id from licenses
      where company_id in (${companyId}, ${GENERAL}) and lower(name) = lower(${title})
      order by valid desc, company_id = ${GENERAL}, id offset ${Math.max(0, number - 1)} limit 1`.execute(db)
    if (rows[0] !== undefined) return rows[0].id
  }
  return undefined
}

/** Reads licenses of one owner; unknown ids are left out. */
export async function readLicenses(db: Db, companyId: number, ids: readonly number[]): Promise<LicenseState[]> {
  const rows = await licensesOf(db, companyId)
    .selectAll()
    .$narrowType<StoredLists>()
    .where('licenses.id', '=', anyOf(ids))
    .orderBy('licenses.id')
    .execute()
  return rows.map(({ document: _document, ...license }) => license)
}

/** The lists of a license, which are stored as JSON. */
type StoredLists = Pick<
  LicenseState,
  'locales' | 'restriction_country' | 'restriction_dvd_region' | 'restriction_video_norm'
>

/** The valid licenses that a company can sell under: the general ones and its own. */
export async function readUsableLicenses(db: Db, companyId: number): Promise<LicenseState[]> {
  const validOf = (owner: number) =>
    licensesOf(db, owner).selectAll('licenses').$narrowType<StoredLists>().where('licenses.valid', '=', 1)
  const rows = await validOf(GENERAL).unionAll(validOf(companyId)).orderBy('id').limit(USES_MAX).execute()
  return rows.map(({ document: _document, ...license }) => license)
}

/**
 * Locks the license until the transaction ends and reads it: do this before deciding on a change. A general license,
 * which the company sees but may not change, has its own error.
 */
export async function lockLicense(tx: Tx, companyId: number, ref: string): Promise<LicenseState> {
  if (!/^\d{1,15}$/.test(ref)) throw licenseNotFound(ref)
  const [license] = await lockLicenses(tx, companyId, [Number(ref)])
  if (license !== undefined) return license
  const [general] = await readLicenses(tx, GENERAL, [Number(ref)])
  throw general === undefined ? licenseNotFound(ref) : licenseIsGeneral(general.name)
}

/** lockLicense for many of one owner; those that do not exist are left out. */
export async function lockLicenses(tx: Tx, companyId: number, ids: number[]): Promise<LicenseState[]> {
  await licensesOf(tx, companyId)
    .select('licenses.id')
    .where('licenses.id', '=', anyOf(ids))
    .orderBy('licenses.id')
    .forNoKeyUpdate()
    .execute()
  return readLicenses(tx, companyId, ids)
}

/** How many products of the company are sold under a license. */
export async function countProductsUnder(db: Db, companyId: number, licenseId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct product_key) as count from product_bindings
    where company_id = ${companyId} and license_id = ${licenseId}`.execute(db)
  return rows[0]?.count ?? 0
}

const usesOf = prepare((db: Db, companyId: number) =>
  sql<Columns<'licenses', 'id'> & { products: number }>`select license_id as id, count(distinct product_key) as products
    from product_bindings where company_id = ${companyId} and license_id is not null
    group by license_id order by license_id limit ${USES_MAX}`.compile(db),
)

/** How many products of the company are sold under each license; one without products is left out. */
export function readLicenseUses(db: Db, companyId: number): Promise<{ id: number; products: number }[]> {
  return usesOf(db, companyId)
}

/** The companies that sell products under a license. */
export async function readCompaniesUnder(db: Db, licenseId: number): Promise<number[]> {
  const { rows } = await sql<Columns<'product_bindings', 'company_id'>>`select distinct company_id from product_bindings
    where license_id = ${licenseId} order by company_id`.execute(db)
  return rows.map(({ company_id }) => company_id)
}

/** The ids of one owner's licenses after one id, in order. */
export async function readLicenseIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await licensesOf(db, companyId)
    .select('licenses.id')
    .where('licenses.id', '>', after)
    .orderBy('licenses.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
