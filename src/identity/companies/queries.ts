import { sql } from 'kysely'
import { textsOfCompany } from '#identity/mail-texts/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { searchInvalid } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { companyNotFound, partnersOnly } from './errors.ts'
import { searchedEmail } from './rules.ts'
import type { CompanyState, Correspondent, Seller } from './state.ts'

export function findCompany(
  db: Db,
  id: number,
): Promise<
  Pick<CompanyState, 'id' | 'company_name' | 'language' | 'currency' | 'deletion_due_at' | 'sandbox'> | undefined
> {
  return db
    .selectFrom('companies')
    .select(['id', 'company_name', 'language', 'currency', 'deletion_due_at', 'sandbox'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Those of some ids that companies have. */
export async function findCompanyIds(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('companies').select('id').where('id', '=', anyOf(ids)).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Is there such a company, and is it enabled? */
export async function isCompanyEnabled(db: Db, id: number): Promise<boolean> {
  return (await findSigningSecret(db, id)) !== undefined
}

/** The secret with which a company signs login tokens; undefined if there is no such company, or it is disabled. */
export async function findSigningSecret(db: Db, id: number): Promise<string | undefined> {
  const company = await db
    .selectFrom('companies')
    .select('external_access_token')
    .where('id', '=', id)
    .where('company_disabled', '=', false)
    .executeTakeFirst()
  return company?.external_access_token
}

/** Does everybody who works for a company have to sign in in two steps? */
export async function requiresSecondFactor(db: Db, id: number): Promise<boolean> {
  const company = await db
    .selectFrom('companies')
    .select('second_factor_required')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return company.second_factor_required
}

/** Those of some companies for which everybody has to sign in in two steps. */
export async function findRequiringSecondFactor(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('companies')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where('second_factor_required', '=', true)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The secrets of the oldest companies that are enabled. */
export async function readSigningSecrets(db: Db, limit: number): Promise<{ id: number; secret: string }[]> {
  return db
    .selectFrom('companies')
    .select(['id', 'external_access_token as secret'])
    .where('company_disabled', '=', false)
    .orderBy('id')
    .limit(limit)
    .execute()
}

const sellerById = prepare((db: Db, id: number) =>
  db
    .selectFrom('companies')
    .select(['id', 'country_code', 'currency', 'tax_options', 'api_active', 'shop_active', 'company_disabled'])
    .select(['deletion_due_at', 'sandbox'])
    .where('id', '=', id)
    .compile(),
)

/** The company as a sale needs it. */
export async function getSeller(db: Db, id: number): Promise<Seller> {
  const [seller] = await sellerById(db, id)
  if (seller === undefined) throw companyNotFound(String(id))
  return seller
}

/** The company as mails show it. */
export async function getCorrespondent(db: Db, id: number): Promise<Correspondent> {
  const company = await db
    .selectFrom('companies')
    .select(['id', 'company_name', 'email', 'street', 'zip', 'city', 'country_code', 'language'])
    .select(textsOfCompany.as('mail_texts'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (company === undefined) throw companyNotFound(String(id))
  return company
}

export async function readCompanyIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('companies').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The ids of the first companies, oldest first. */
export async function readOldestCompanyIds(db: Db, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('companies').select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** The operator's view of all companies, oldest first. */
export function listCompanies(db: Db, limit: number) {
  return db
    .selectFrom('companies')
    .select(['id', 'company_name', 'email', 'country_code', 'currency', 'company_disabled', 'sandbox', 'created_at'])
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function hasCompanies(db: Db): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Companies without a document: they were created before documents existed, or by an older version since. */
export async function readUnpresentedIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('companies').select('id').where('document', 'is', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Every read for a caller starts here: a company may see itself and those that name it as their partner. */
function companiesSeenBy(db: Db, companyId: number) {
  return db
    .selectFrom('companies')
    .where('companies.document', 'is not', null)
    .where((where) => where.or([where('companies.id', '=', companyId), where('companies.partner_id', '=', companyId)]))
}

/** The visible companies that name the caller as their partner. */
function associatesOf(db: Db, companyId: number) {
  return db
    .selectFrom('companies')
    .where('companies.document', 'is not', null)
    .where('companies.partner_id', '=', companyId)
}

/** The names of the companies that name this one as their partner. */
export function listAssociateNames(db: Db, companyId: number): Promise<{ id: number; company_name: string }[]> {
  return associatesOf(db, companyId)
    .select(['companies.id', 'companies.company_name'])
    .orderBy('companies.company_name')
    .orderBy('companies.id')
    .limit(1000)
    .execute()
}

/** The names of the companies for which the users of this one can work: its sandboxes, and those that name it as their partner. */
export function listOtherCompanies(db: Db, companyId: number): Promise<{ id: number; company_name: string }[]> {
  return db
    .selectFrom('companies')
    .where('companies.document', 'is not', null)
    .where((where) =>
      where.or([where('companies.partner_id', '=', companyId), where('companies.sandbox_of', '=', companyId)]),
    )
    .select(['companies.id', 'companies.company_name'])
    .orderBy('companies.company_name')
    .orderBy('companies.id')
    .limit(1000)
    .execute()
}

/** Is there a product without a price? */
const isUnpriced = condition`exists (
  select from products where products.company_id = companies.id and not products.priced)`

/**
 * Is there a product all of whose prices are invalid? Invalid prices are few, so the query starts from them and looks
 * at products that name them: the company's own, and mirrored ones. `offset 0` makes PostgreSQL look up the bindings
 * of a product by its key: joined to prices, it has been seen to scan all bindings for each.
 */
const hasOnlyInvalidPrices = condition`exists (
  select from prices as price
  join product_bindings as binding on binding.company_id = companies.id and binding.price_id = price.id
  where price.valid = 0 and price.company_id = any(array(
      select companies.id union
      select mirror.owner_id from product_mirrors as mirror where mirror.company_id = companies.id))
    and not exists (
      select from product_bindings as other
      where other.company_id = binding.company_id and other.product_key = binding.product_key
        and (select usable.valid from prices as usable where usable.id = other.price_id) = 1 offset 0))`

/** Is there no way to pay? A gateway that needs a key is off without one. */
const hasNoPayments = condition`not exists (
  select from payment_gateways as gateway where gateway.company_id = companies.id and gateway.enabled)`

/** The current state of the shop, as text. */
const shopStatus = sql<string>`'{"No payment system":' || (${hasNoPayments}) || ',"No products":' || (coalesce((
    select sum(amount) from counters where counters.company_id = companies.id and resource = 'products'), 0) = 0)
  || ',"Disabled":' || (companies.company_disabled or not companies.shop_active)
  || ',"Incomplete company data":' || (not companies.valid)
  || ',"Products incomplete":' || (${isUnpriced} or ${hasOnlyInvalidPrices})
  || ',"No active theme/domain":' || (not exists (
    select from theme_settings as shop
    where shop.company_id = companies.id and shop.enabled and not shop.shop_offline))
  || ',"Limited access mode":' || (companies.restricted >= 1) || '}'`

/** The stored document with the state of the shop, and with the fields for the partner if the partner reads it. */
function wholeDocument(readerId: number) {
  return sql<string>`left(companies.document, -1)
    || case when companies.partner_id = ${readerId}
      then ',' || left(right(companies.partner_document, -1), -1) else '' end
    || ',"shop_status":' || ${shopStatus} || '}'`
}

const documentById = prepare((db: Db, reader: number, id: number) =>
  companiesSeenBy(db, reader).select(wholeDocument(reader).as('document')).where('companies.id', '=', id).compile(),
)

/** The document of a company. A company that the caller may not see is answered like one that does not exist. */
export async function getCompanyDocument(db: Db, readerId: number, ref: string): Promise<string> {
  if (!/^\d{1,15}$/.test(ref)) throw companyNotFound(ref)
  const [company] = await documentById(db, readerId, Number(ref))
  if (company === undefined) throw companyNotFound(ref)
  return company.document
}

const isPartner = condition`exists (select from companies as associate where associate.partner_id = companies.id)`

const ownById = prepare((db: Db, id: number) =>
  companiesSeenBy(db, id)
    .select([wholeDocument(id).as('document'), isPartner.as('is_partner')])
    .where('companies.id', '=', id)
    .compile(),
)

/** The caller's own document, and whether other companies name the caller as their partner. */
export async function getOwnCompany(db: Db, companyId: number): Promise<{ document: string; is_partner: boolean }> {
  const [company] = await ownById(db, companyId)
  if (company === undefined) throw companyNotFound(String(companyId))
  return company
}

export type CompanyFilters = { updated_at_min?: string }

type GivenFilters = { partner: number; updated_at_min?: Date | undefined; email?: string }

const associates = prepareList((db: Db, { partner, updated_at_min, email }: GivenFilters) =>
  associatesOf(db, partner)
    .$call((rows) => (updated_at_min === undefined ? rows : rows.where('companies.updated_at', '>=', updated_at_min)))
    .$call((rows) =>
      email === undefined ? rows : rows.where(condition`lower(companies.email) = lower(${email}::text)`),
    )
    .select(['companies.id', wholeDocument(partner).as('document')]),
)

export function listAssociates(db: Db, companyId: number, { updated_at_min }: CompanyFilters): DocumentList {
  return associates(db, { partner: companyId, updated_at_min: readTime(updated_at_min) })
}

/** Associated companies with an email address, in any case. A company that is not a partner has none. */
export async function searchAssociates(db: Db, companyId: number, query: string | undefined): Promise<DocumentList> {
  if (!(await isPartnerOfAny(db, companyId))) throw partnersOnly()
  const email = searchedEmail(query)
  if (email === undefined) throw validationFailed('query', searchInvalid('email:address'))
  return associates(db, { partner: companyId, email })
}

const firstAssociate = prepare((db: Db, companyId: number) =>
  associatesOf(db, companyId).select('companies.id').limit(1).compile(),
)

async function isPartnerOfAny(db: Db, companyId: number): Promise<boolean> {
  const rows = await firstAssociate(db, companyId)
  return rows.length > 0
}

const countOfAssociates = prepare((db: Db, partner: number, since: Date | null, after: number) =>
  sql<{ count: number; is_partner: boolean }>`select
    exists (select from companies where partner_id = ${partner}) as is_partner,
    (select count(*) from companies where document is not null and partner_id = ${partner} and id > ${after}
      and updated_at >= coalesce(${since}::timestamptz, '-infinity')) as count`.compile(db),
)

/** The length of the list: a partner's associated companies, or the one company itself. */
export async function countCompanies(
  db: Db,
  companyId: number,
  { updated_at_min, since_id }: CompanyFilters & { since_id?: number },
): Promise<number> {
  const [row] = await countOfAssociates(db, companyId, readTime(updated_at_min) ?? null, since_id ?? 0)
  return row?.is_partner === true ? row.count : 1
}

/** Locks a company that the caller may change until the transaction ends. Writes to its other rows need not wait. */
export async function lockCompany(tx: Tx, callerId: number, ref: string): Promise<CompanyState> {
  if (!/^\d{1,15}$/.test(ref)) throw companyNotFound(ref)
  const row = await companiesSeenBy(tx, callerId)
    .selectAll()
    .where('companies.id', '=', Number(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw companyNotFound(ref)
  return withoutDocuments(row)
}

/** lockCompany for the service itself, which presents companies that have no document yet. */
export async function lockCompanyById(tx: Tx, id: number): Promise<CompanyState> {
  const row = await tx
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return withoutDocuments(row)
}

function withoutDocuments({
  document: _document,
  partner_document: _partnerDocument,
  ...company
}: CompanyState & { document: string | null; partner_document: string | null }): CompanyState {
  return company
}
