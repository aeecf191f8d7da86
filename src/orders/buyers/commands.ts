import { findCountry } from '#companies/countries.ts'
import { changeOwnAccount, createCustomer } from '#customers/commands.ts'
import { accountChanged, passwordDiffers, tooManyChecks } from '#customers/errors.ts'
import { lockBuyer, type OwnCustomer } from '#customers/queries.ts'
import { joinAccount } from '#customers/rules.ts'
import type { CustomerInput } from '#customers/schema.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Buyer } from './checks.ts'
import { customerDisabled, passwordRequired, tokenUnknown } from './errors.ts'

type Owner = { companyId: number }

/** Holds the customer who buys until the transaction ends, and makes one who is new to the company known to it. */
export async function takeBuyer(
  tx: Tx,
  owner: Owner,
  buyer: Buyer,
  sent: CustomerInput,
  now: Date,
): Promise<OwnCustomer> {
  const found = await findBuyer(tx, owner, buyer, now)
  if (found.account.state === 'disabled') throw customerDisabled()
  if (found.account.addresses.length > 0 || (sent.addresses ?? []).length === 0) return found
  return addAddresses(tx, owner, found, sent, now)
}

async function findBuyer(tx: Tx, owner: Owner, buyer: Buyer, now: Date): Promise<OwnCustomer> {
  if (buyer.kind === 'token') {
    const customer = await lockBuyer(tx, owner.companyId, 'token', buyer.token)
    if (customer === undefined) throw tokenUnknown()
    return customer
  }
  if (buyer.kind === 'known') {
    const customer = await lockBuyer(tx, owner.companyId, 'email', buyer.email)
    // The company has given the customer up since it was asked.
    if (customer === undefined) throw passwordRequired()
    return customer
  }
  return proveBuyer(tx, owner, buyer, now)
}

async function proveBuyer(
  tx: Tx,
  owner: Owner,
  { input, credentials, limits }: Extract<Buyer, { kind: 'proven' }>,
  now: Date,
): Promise<OwnCustomer> {
  if (credentials.kind === 'limited') throw tooManyChecks(credentials.seconds)
  if (credentials.kind === 'wrong') throw passwordDiffers()
  const known = await lockBuyer(tx, owner.companyId, 'email', input.email)
  if (known === undefined) {
    await createCustomer(tx, owner, input, credentials, limits, now)
    const added = await lockBuyer(tx, owner.companyId, 'email', input.email)
    if (added === undefined) throw accountChanged()
    return added
  }
  // The password was checked before the account was held.
  if (credentials.kind !== 'known' || known.account.password_hash !== credentials.passwordHash) throw accountChanged()
  return known
}

/** Nobody has told yet where the customer lives, and the order does. */
async function addAddresses(
  tx: Tx,
  owner: Owner,
  { account, own }: OwnCustomer,
  sent: CustomerInput,
  now: Date,
): Promise<OwnCustomer> {
  const { takePartId: takeId } = await takeIds(tx, 'customers', 0, sent.addresses?.length ?? 0)
  const change = (before: OwnCustomer['account']) => joinAccount(before, sent, { now, takeId, findCountry })
  return { account: await changeOwnAccount(tx, owner, account.token, change, now), own: { ...own, updated_at: now } }
}
