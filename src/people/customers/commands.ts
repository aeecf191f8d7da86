import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { deleteGrantsOfCustomer } from '#identity/grants/commands.ts'
import { forgetCustomer } from '#people/audience/follow.commands.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { assertPermitted, type Caller, type Permitted } from '#platform/identity/caller.ts'
import { hashPassword, randomCapitals } from '#platform/identity/crypto.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { saveAccount } from './accounts.commands.ts'
import { type Forgetting, requestErasure } from './erasure.worker.ts'
import { noteErasure } from './erasures/commands.ts'
import { accountChanged, emailTaken, passwordDiffers, tooManyChecks } from './errors.ts'
import type { Forgotten } from './jobs.ts'
import { askCustomer, endLinksOf } from './links/commands.ts'
import { requestOf } from './links/rules.ts'
import { forgiveCheck, type Limits } from './passwords/commands.ts'
import type { Credentials } from './passwords/queries.ts'
import { assertChoosable } from './passwords/rules.ts'
import { presentCustomer } from './present.ts'
import {
  ACCOUNTS,
  CUSTOMERS,
  findAccountByEmail,
  hasCustomer,
  lockAccount,
  lockCustomer,
  type OwnCustomer,
  readCustomerIds,
} from './queries.ts'
import { addRelation, eventData, saveRelations } from './relations.commands.ts'
import {
  changeAccount,
  changeRelation,
  emptyRelation,
  type FieldPaths,
  guessLanguage,
  isSameEmail,
  isUnchanged,
  type LanguageHints,
  newAccount,
  OWN_PATHS,
} from './rules.ts'
import type { CustomerInput, ImportedCustomer } from './schema.ts'
import { deleteSignUpsOf } from './sign-ups/forget.commands.ts'
import type { AccountState, RelationState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** What a request says of a new customer, beside the customer's own fields. */
export type Intake = {
  paths?: FieldPaths
  hints?: LanguageHints
  /** The customer has shown that they read the address. */
  isVerified?: boolean
}

const NO_HINTS: LanguageHints = { country: '', acceptLanguage: '' }

async function languageOf(tx: Tx, companyId: number): Promise<string> {
  return (await findCompany(tx, companyId))?.language ?? 'en'
}

/** Makes a customer known to the company, with a new or an existing account. */
export async function createCustomer(
  tx: Tx,
  { companyId }: Owner,
  input: ImportedCustomer,
  credentials: Credentials,
  now: Date,
  { paths = OWN_PATHS, hints = NO_HINTS, isVerified = false }: Intake = {},
): Promise<Written<OwnCustomer>> {
  // The company sees its own customers, so this reveals nothing to it.
  if (await hasCustomer(tx, companyId, input.email)) throw validationFailed(paths.email, emailTaken())
  if (credentials.kind === 'limited') throw tooManyChecks(credentials.seconds)
  if (credentials.kind === 'wrong') throw validationFailed(paths.password, passwordDiffers())
  if (credentials.kind === 'known') return joinCustomer(tx, companyId, input, credentials, now, paths)
  const { takeRowId, takePartId: takeId } = await takeIds(tx, ACCOUNTS, 1, input.addresses?.length ?? 0)
  const id = takeRowId()
  const context = { now, takeId, findCountry, path: paths.details }
  const own = changeRelation(emptyRelation(companyId, id, now), input, context)
  const language = input.language?.toLowerCase() || guessLanguage(own, hints) || (await languageOf(tx, companyId))
  const identity = { id, token: randomCapitals(16), email: input.email, language }
  const password = { password_hash: credentials.passwordHash }
  const account = { ...newAccount({ ...identity, ...password }, now), verified_email: isVerified }
  const added = await tx
    .insertInto('customers')
    .values(account)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .executeTakeFirst()
  // Another request was faster: if it was from the same company, the customer is there already.
  if (added.numInsertedOrUpdatedRows === 0n)
    throw (await hasCustomer(tx, companyId, input.email))
      ? validationFailed(paths.email, emailTaken())
      : accountChanged()
  return addRelation(tx, account, own, now)
}

/** Makes an existing account known to the company, which starts with its own data and sees none of other companies. */
async function joinCustomer(
  tx: Tx,
  companyId: number,
  input: CustomerInput,
  { customerId, passwordHash }: { customerId: number; passwordHash: string | null },
  now: Date,
  paths: FieldPaths,
): Promise<Written<OwnCustomer>> {
  const known = await lockAccount(tx, customerId)
  // The password was checked before the account was locked.
  if (known === undefined || known.account.password_hash !== passwordHash) throw accountChanged()
  if (known.relations.some(({ company_id }) => company_id === companyId))
    throw validationFailed(paths.email, emailTaken())
  return introduce(tx, companyId, known.account, input, now, paths)
}

async function introduce(
  tx: Tx,
  companyId: number,
  account: AccountState,
  input: CustomerInput,
  now: Date,
  { details: path }: FieldPaths,
): Promise<Written<OwnCustomer>> {
  const { takePartId: takeId } = await takeIds(tx, ACCOUNTS, 0, input.addresses?.length ?? 0)
  const own = changeRelation(emptyRelation(companyId, account.id, now), input, { now, takeId, findCountry, path })
  return addRelation(tx, account, own, now)
}

/**
 * Makes the customer with an email address known to a company that has an order of theirs, without a password: the
 * company learns nothing but the account. Undefined if there is no such account.
 */
export async function introduceBuyer(
  tx: Tx,
  { companyId }: Owner,
  email: string,
  input: CustomerInput,
  now: Date,
  paths: FieldPaths,
): Promise<OwnCustomer | undefined> {
  const found = await findAccountByEmail(tx, email)
  const known = found && (await lockAccount(tx, found.id))
  if (known === undefined || !isSameEmail(known.account.email, email)) return undefined
  const { account, relations } = known
  // Another order of the same customer may have been faster.
  const own = relations.find(({ company_id }) => company_id === companyId)
  if (own !== undefined) return { account, own }
  return (await introduce(tx, companyId, account, input, now, paths)).state
}

/** Prepared before a change: the hash of a new password, and the limits that a new email address counted against. */
export type Prepared = { passwordHash: string | undefined; limits: Limits }

export type Change =
  | ({ kind: 'made' } & Written<OwnCustomer>)
  | { kind: 'left to the customer'; what: 'email address' | 'password' } // asked by mail in the same transaction

/** Changes the fields that the body names, or none of them if the customer has to make one of the changes. */
export async function updateCustomer(
  tx: Tx,
  caller: Permitted,
  ref: string,
  input: CustomerInput,
  { passwordHash, limits }: Prepared,
  baseUrl: string,
  now: Date,
): Promise<Change> {
  const { companyId } = caller
  const { account: before, own, relations } = await lockCustomer(tx, companyId, ref)
  const { takePartId: takeId } = await takeIds(tx, ACCOUNTS, 0, input.addresses?.length ?? 0)
  const changed = changeAccount(before, input)
  const wanted = changeRelation(own, input, { now, takeId, findCountry })
  const relation = isUnchanged(own, wanted) ? own : wanted
  const isMoved = changed.email !== before.email
  // Whoever changes one of them could sign in as the customer.
  if (isMoved || passwordHash !== undefined) assertPermitted(caller, 'unlock')
  if (relations.length > 1 && (isMoved || passwordHash !== undefined)) {
    const request = requestOf(isMoved ? changed.email : undefined, passwordHash !== undefined)
    await askCustomer(tx, before, companyId, request, baseUrl, now)
    await forgiveCheck(tx, limits)
    return { kind: 'left to the customer', what: isMoved ? 'email address' : 'password' }
  }
  const after = { ...changed, password_hash: passwordHash ?? before.password_hash }
  const others = relations.filter(({ company_id }) => company_id !== companyId)
  const account = await saveAccount(tx, { account: before, relations: [relation, ...others] }, after, now)
  if (account === before && relation !== own) await saveOwn(tx, { account, own: relation }, now)
  await forgiveCheck(tx, limits)
  const document = asciiJson(presentCustomer(account, relation))
  return { kind: 'made', state: { account, own: relation }, document }
}

/** Writes what one company knows of a customer, and emits the event to that company alone. */
async function saveOwn(tx: Tx, { account, own }: OwnCustomer, now: Date): Promise<void> {
  await saveRelations(tx, account, [own])
  await emit(tx, own.company_id, 'customer/update', now, [eventData(account)])
}

/** Changes what the company knows of a customer, such as the addresses. */
export async function changeOwnCustomer(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  change: (before: RelationState) => RelationState,
  now: Date,
): Promise<OwnCustomer> {
  const { account, own: before } = await lockCustomer(tx, companyId, ref)
  const own = { ...change(before), updated_at: now }
  if (isUnchanged(before, own)) return { account, own: before }
  await saveOwn(tx, { account, own }, now)
  return { account, own }
}

/**
 * Ends the company's relation to the customer. The last relation takes the account with it. A job erases what is found slowly; returns
 * of whom.
 */
export async function deleteCustomer(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  forgetting: Forgetting,
  now: Date,
): Promise<Forgotten> {
  const { account, own, relations } = await lockCustomer(tx, companyId, ref)
  await forgetCustomer(tx, companyId, account)
  await forgetting.atOnce(tx, { companyId, customerId: account.id }, now)
  await deleteGrantsOfCustomer(tx, companyId, account.id)
  await tx
    .deleteFrom('customer_relations')
    .where('company_id', '=', companyId)
    .where('customer_id', '=', account.id)
    .execute()
  const isLast = relations.length === 1
  const forgotten = await requestErasure(tx, companyId, account, own, isLast, now)
  await noteErasure(tx, companyId, account.token, now)
  await deleteSignUpsOf(tx, companyId, account.email)
  await endLinksOf(tx, companyId, account.id, now)
  await adjustCounter(tx, companyId, CUSTOMERS, -1)
  if (isLast) await tx.deleteFrom('customers').where('id', '=', account.id).execute()
  return forgotten
}

const RELATIONS_AT_ONCE = 100

/**
 * Ends some of the relations of a company that is deleted, and the accounts that no other company knows. What else the company had
 * of these customers is gone already. Returns how many.
 */
export async function deleteRelations(tx: Tx, companyId: number): Promise<number> {
  const ids = await readCustomerIds(tx, companyId, 0, RELATIONS_AT_ONCE)
  for (const id of ids) {
    const known = await lockAccount(tx, id)
    await tx
      .deleteFrom('customer_relations')
      .where('company_id', '=', companyId)
      .where('customer_id', '=', id)
      .execute()
    if (known?.relations.length === 1) await tx.deleteFrom('customers').where('id', '=', id).execute()
  }
  return ids.length
}

/** Imports a customer for the operator, who needs no password to make one known to another company. */
export async function importCustomer(
  tx: Tx,
  owner: Owner,
  input: ImportedCustomer,
  now: Date,
): Promise<Written<OwnCustomer>> {
  assertChoosable(input)
  const there = await findAccountByEmail(tx, input.email)
  const passwordHash = typeof input.password === 'string' ? await hashPassword(input.password) : null
  const credentials: Credentials =
    there === undefined
      ? { kind: 'new', passwordHash }
      : { kind: 'known', customerId: there.id, passwordHash: there.password_hash }
  return createCustomer(tx, owner, input, credentials, now)
}
