import { createCustomer, introduceBuyer } from '#people/customers/commands.ts'
import { accountChanged, passwordDiffers, tooManyChecks } from '#people/customers/errors.ts'
import type { Credentials } from '#people/customers/passwords/queries.ts'
import { lockBuyer, type OwnCustomer } from '#people/customers/queries.ts'
import { noteUnproved } from '#people/customers/relations.commands.ts'
import type { FieldPaths } from '#people/customers/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { Problem, validationFailed } from '#platform/errors/problem.ts'
import { verifyPassword } from '#platform/identity/crypto.ts'
import type { Buyer } from './checks.commands.ts'
import { customerDisabled, passwordRequired, tokenUnknown } from './errors.ts'

type Owner = { companyId: number }

/** The customer of an order. What a guest says of somebody whom the company knows already counts for the order alone. */
export type TakenBuyer = OwnCustomer & { isTrusted: boolean }

/** Locks the customer until the transaction ends. A customer who is new to the company becomes known to it. */
export async function takeBuyer(tx: Tx, owner: Owner, buyer: Buyer, now: Date): Promise<TakenBuyer> {
  const found = await findBuyer(tx, owner, buyer, now)
  if (found.account.state === 'disabled') throw validationFailed('customer', customerDisabled())
  return found
}

async function findBuyer(tx: Tx, owner: Owner, buyer: Buyer, now: Date): Promise<TakenBuyer> {
  if (buyer.kind === 'guest') return takeGuest(tx, owner, buyer, now)
  return { ...(await findOrderer(tx, owner, buyer, now)), isTrusted: true }
}

async function findOrderer(
  tx: Tx,
  owner: Owner,
  buyer: Exclude<Buyer, { kind: 'guest' }>,
  now: Date,
): Promise<OwnCustomer> {
  if (buyer.kind === 'token') {
    const customer = await lockBuyer(tx, owner.companyId, 'token', buyer.token)
    if (customer === undefined) throw validationFailed(buyer.path, tokenUnknown())
    return customer
  }
  if (buyer.kind === 'known') {
    const { email, details, paths } = buyer
    const customer =
      (await lockBuyer(tx, owner.companyId, 'email', email)) ??
      (await introduceBuyer(tx, owner, email, details, now, paths))
    // The account has been deleted since the check.
    if (customer === undefined) throw validationFailed(paths.password, passwordRequired())
    return customer
  }
  return proveBuyer(tx, owner, buyer, now)
}

/** Finds the customer with the address, or adds one without a password. */
async function takeGuest(
  tx: Tx,
  owner: Owner,
  { input, paths, hints }: Extract<Buyer, { kind: 'guest' }>,
  now: Date,
): Promise<TakenBuyer> {
  const { email } = input
  const known = await lockBuyer(tx, owner.companyId, 'email', email)
  if (known !== undefined) return { ...known, isTrusted: false }
  const introduced = await introduceBuyer(tx, owner, email, input, now, paths)
  if (introduced !== undefined) {
    await noteUnproved(tx, introduced.own)
    return { ...introduced, isTrusted: false }
  }
  const overtaken = await refusalOf(
    createCustomer(tx, owner, input, { kind: 'new', passwordHash: null }, now, { paths, hints }),
  )
  const added =
    (await lockBuyer(tx, owner.companyId, 'email', email)) ??
    (await introduceBuyer(tx, owner, email, input, now, paths))
  if (added === undefined) throw overtaken ?? accountChanged()
  if (overtaken === undefined) await noteUnproved(tx, added.own)
  return { ...added, isTrusted: overtaken === undefined }
}

/** If a customer places two first orders at once, the second waits here, is refused, and then finds the customer. */
async function refusalOf(creation: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await creation
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

async function proveBuyer(
  tx: Tx,
  owner: Owner,
  { input, credentials, paths, hints }: Extract<Buyer, { kind: 'proven' }>,
  now: Date,
): Promise<OwnCustomer> {
  if (credentials.kind === 'limited') throw tooManyChecks(credentials.seconds)
  if (credentials.kind === 'wrong') throw validationFailed(paths.password, passwordDiffers())
  const proof = { password: input.password, credentials, paths }
  const known = await lockBuyer(tx, owner.companyId, 'email', input.email)
  if (known !== undefined) return held(known, proof)
  const overtaken = await refusalOf(createCustomer(tx, owner, input, credentials, now, { paths, hints }))
  const added = await lockBuyer(tx, owner.companyId, 'email', input.email)
  if (added === undefined) throw overtaken ?? accountChanged()
  return overtaken === undefined ? added : held(added, proof)
}

type Proof = { password: string; credentials: Credentials; paths: FieldPaths }

/**
 * The password was checked before the account was locked, so the account may be new or have another password by now.
 */
async function held(customer: OwnCustomer, { password, credentials, paths }: Proof): Promise<OwnCustomer> {
  const { password_hash } = customer.account
  if (credentials.kind === 'known' && credentials.passwordHash === password_hash) return customer
  if (!(await verifyPassword(password, password_hash))) throw validationFailed(paths.password, passwordDiffers())
  return customer
}
