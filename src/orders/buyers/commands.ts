import { findCountry } from '#companies/countries.ts'
import { changeOwnCustomer, createCustomer } from '#customers/commands.ts'
import { accountChanged, passwordDiffers, tooManyChecks } from '#customers/errors.ts'
import type { Credentials } from '#customers/passwords/queries.ts'
import { lockBuyer, type OwnCustomer } from '#customers/queries.ts'
import { joinRelation } from '#customers/rules.ts'
import type { CustomerInput } from '#customers/schema.ts'
import { verifyPassword } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { Problem, validationFailed } from '#platform/problem.ts'
import type { Buyer } from './checks.ts'
import { customerDisabled, passwordRequired, tokenUnknown } from './errors.ts'

type Owner = { companyId: number }

/** Locks the customer until the transaction ends, and adds a new customer to the company. */
export async function takeBuyer(
  tx: Tx,
  owner: Owner,
  buyer: Buyer,
  sent: CustomerInput,
  now: Date,
): Promise<OwnCustomer> {
  const found = await findBuyer(tx, owner, buyer, now)
  if (found.account.state === 'disabled') throw validationFailed('customer', customerDisabled())
  if (found.own.addresses.length > 0 || (sent.addresses ?? []).length === 0) return found
  return addAddresses(tx, owner, found, sent, now)
}

async function findBuyer(tx: Tx, owner: Owner, buyer: Buyer, now: Date): Promise<OwnCustomer> {
  if (buyer.kind === 'token') {
    const customer = await lockBuyer(tx, owner.companyId, 'token', buyer.token)
    if (customer === undefined) throw validationFailed('customer_token', tokenUnknown())
    return customer
  }
  if (buyer.kind === 'known') {
    const customer = await lockBuyer(tx, owner.companyId, 'email', buyer.email)
    // The company has removed the customer since the check.
    if (customer === undefined) throw validationFailed('customer.password', passwordRequired())
    return customer
  }
  return proveBuyer(tx, owner, buyer, now)
}

async function proveBuyer(
  tx: Tx,
  owner: Owner,
  { input, credentials }: Extract<Buyer, { kind: 'proven' }>,
  now: Date,
): Promise<OwnCustomer> {
  if (credentials.kind === 'limited') throw tooManyChecks(credentials.seconds)
  if (credentials.kind === 'wrong') throw validationFailed('password', passwordDiffers())
  const known = await lockBuyer(tx, owner.companyId, 'email', input.email)
  if (known !== undefined) return held(known, input.password, credentials)
  // If a customer places two first orders at once, the second waits here and then finds the customer.
  const overtaken = await createCustomer(tx, owner, input, credentials, now).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (overtaken !== undefined && !(overtaken instanceof Problem)) throw overtaken
  const added = await lockBuyer(tx, owner.companyId, 'email', input.email)
  if (added === undefined) throw overtaken ?? accountChanged()
  return overtaken === undefined ? added : held(added, input.password, credentials)
}

/**
 * The password was checked before the account was locked, so the account may be new or have another password by now.
 */
async function held(customer: OwnCustomer, password: string, credentials: Credentials): Promise<OwnCustomer> {
  const { password_hash } = customer.account
  if (credentials.kind === 'known' && credentials.passwordHash === password_hash) return customer
  if (!(await verifyPassword(password, password_hash))) throw validationFailed('password', passwordDiffers())
  return customer
}

/** The customer has no address yet, so the address of the order is stored. */
async function addAddresses(
  tx: Tx,
  owner: Owner,
  { account }: OwnCustomer,
  sent: CustomerInput,
  now: Date,
): Promise<OwnCustomer> {
  const { takePartId: takeId } = await takeIds(tx, 'customers', 0, sent.addresses?.length ?? 0)
  const change = (before: OwnCustomer['own']) => joinRelation(before, sent, { now, takeId, findCountry })
  return changeOwnCustomer(tx, owner, account.token, change, now)
}
