import { record } from '#history/audit/commands.ts'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { lockCompanyById } from '#identity/companies/queries.ts'
import { type Actor, announceRevocation, revokeGrantsOfUser } from '#identity/grants/commands.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { randomCapitals } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import {
  actorDisabled,
  alreadyAccepted,
  emailFixed,
  emailTaken,
  lastManager,
  mayNotManageUsers,
  notAccepted,
} from './errors.ts'
import { type ChangeSource, type Inviter, sendInvitation } from './invitations/commands.ts'
import { endLinks, useLink } from './links/commands.ts'
import { findLinkOwner } from './links/queries.ts'
import { presentUser } from './present.ts'
import { findUser, hasOtherManagers, isEmailTaken, lockUser, lockUserById, USERS } from './queries.ts'
import {
  ALL_PERMISSIONS,
  changedDetails,
  changedRights,
  changeUser,
  hasAccepted,
  INVITED_PERMISSIONS,
  managesUsers,
  type NewUser,
  nameOf,
  newUser,
} from './rules.ts'
import type { NewUserInput, UserInput } from './schema.ts'
import { endSessions } from './sessions/commands.ts'
import type { UserState } from './state.ts'

/** Adds the user who creates a company. The hash is made before the transaction, because it is slow. */
export async function createUser(
  tx: Tx,
  { companyId, email, passwordHash, ...input }: NewUserInput & { companyId: number; passwordHash: string | null },
  now: Date,
): Promise<{ id: number }> {
  const user = { company_id: companyId, email, password_hash: passwordHash }
  return addUser(tx, { ...user, state: 'enabled', permissions: ALL_PERMISSIONS }, input, now)
}

/** Invites a person to the caller's company. */
export async function inviteUser(
  tx: Tx,
  caller: Caller,
  input: NewUserInput,
  source: ChangeSource,
  now: Date,
): Promise<Written<UserState>> {
  const manager = await getManager(tx, caller)
  // Colleagues read the same language, unless the inviter names another one.
  const named = { language: manager.language, ...input }
  const { user } = await invite(tx, caller.companyId, inviterOf(caller, manager), named, source, now)
  return { state: user, document: asciiJson(presentUser(user)) }
}

/** Adds a user who cannot sign in before accepting the invitation; returns the link in the mail. */
export async function invite(
  tx: Tx,
  companyId: number,
  inviter: Inviter,
  { email, ...input }: NewUserInput,
  source: ChangeSource,
  now: Date,
): Promise<{ user: UserState; link: string }> {
  const invited = { company_id: companyId, email, password_hash: null }
  const user = await addUser(tx, { ...invited, state: 'disabled', permissions: INVITED_PERMISSIONS }, input, now)
  return { user, link: await sendInvitation(tx, user, inviter, source, now) }
}

/** Changes the fields that the body names. */
export async function updateUser(
  tx: Tx,
  caller: Caller,
  ref: string,
  input: UserInput,
  source: ChangeSource,
  now: Date,
): Promise<Written<UserState>> {
  const before = await lockUser(tx, caller.companyId, ref)
  const after = changeUser(before, input, await changeContext(tx, input, now))
  const moved = after.email !== before.email
  const rights = changedRights(before, after)
  if (moved && hasAccepted(before)) throw emailFixed(before.email)
  const isOwn = before.id === caller.userId
  const manager = moved || rights.length > 0 || !isOwn ? await checkRights(tx, caller, before, after) : undefined
  const written = await saveUser(tx, after)
  if (before.state === 'enabled' && after.state === 'disabled')
    await endAccess(tx, after, { userId: caller.userId, origin: source.origin }, now)
  if (rights.length > 0) await announceRevocation(tx)
  const change = { subject: before.email, details: changedDetails(before, after), rights }
  await recordChange(tx, caller, change, source, now)
  if (moved && manager !== undefined) await sendInvitation(tx, after, inviterOf(caller, manager), source, now)
  return written
}

/** Mails a person who has not accepted yet another invitation. The links before it stop working. */
export async function inviteAgain(
  tx: Tx,
  caller: Caller,
  ref: string,
  source: ChangeSource,
  now: Date,
): Promise<Written<UserState>> {
  const user = await lockUser(tx, caller.companyId, ref)
  const manager = await getManager(tx, caller)
  if (hasAccepted(user)) throw alreadyAccepted(user.email)
  await sendInvitation(tx, user, inviterOf(caller, manager), source, now)
  return { state: user, document: asciiJson(presentUser(user)) }
}

/** The user behind the token must manage users, and the company must keep another user who does. */
async function checkRights(tx: Tx, caller: Caller, before: UserState, after: UserState): Promise<UserState> {
  const loses = managesUsers(before) && !managesUsers(after)
  // If two managers remove each other at once, the second waits here and then finds that it lost the permission.
  if (loses) await lockCompanyById(tx, before.company_id)
  const manager = await getManager(tx, caller)
  if (before.state === 'disabled' && after.state === 'enabled' && !hasAccepted(before)) throw notAccepted(before.email)
  if (loses && !(await hasOtherManagers(tx, before))) throw lastManager(before.email)
  return manager
}

async function getManager(tx: Tx, { userId }: Caller): Promise<UserState> {
  const user = userId === null ? undefined : await findUser(tx, userId)
  if (user?.state !== 'enabled') throw actorDisabled()
  if (!managesUsers(user)) throw mayNotManageUsers()
  return user
}

function inviterOf({ userId, appId }: Caller, user: UserState): Inviter {
  return { userId, appId, name: nameOf(user) }
}

async function recordChange(
  tx: Tx,
  { companyId, userId, appId }: Caller,
  { subject, details, rights }: { subject: string; details: string[]; rights: string[] },
  { origin }: ChangeSource,
  now: Date,
): Promise<void> {
  const by = { companyId, userId, appId }
  if (details.length > 0)
    await record(tx, { ...by, action: 'user changed', subject: `${subject}: ${details.join(', ')}` }, origin, now)
  if (rights.length > 0)
    await record(tx, { ...by, action: 'permissions changed', subject: `${subject}: ${rights.join(', ')}` }, origin, now)
}

/** Ends the sessions and links of a disabled user, and the access of the apps that the user allowed. */
async function endAccess(tx: Tx, { company_id, id }: UserState, actor: Actor, now: Date): Promise<void> {
  await endSessions(tx, { company_id, id })
  await endLinks(tx, { companyId: company_id, userId: id })
  await revokeGrantsOfUser(tx, id, actor, now)
}

/**
 * Accepts an invitation, after which the user can sign in; undefined if the link does not work. If the address has an
 * account in another company, the invitation stays open: the company may send it to another address.
 */
export async function acceptInvitation(
  tx: Tx,
  {
    token,
    passwordHash,
    firstName,
    lastName,
  }: { token: string; passwordHash: string; firstName?: string; lastName?: string },
  origin: Origin,
  now: Date,
): Promise<UserState | 'address in use' | undefined> {
  const link = await findLinkOwner(tx, 'invitation', token, now)
  if (link === undefined) return undefined
  // Lock the user before the link, as a change of the email address does; the other order could deadlock.
  const { user: before } = await lockUserById(tx, link.companyId, link.userId)
  if (await isEmailTaken(tx, before.email, before)) return 'address in use'
  if ((await useLink(tx, 'invitation', token, now)) === undefined) return undefined
  const input: UserInput = {
    ...(firstName === undefined ? {} : { first_name: firstName }),
    ...(lastName === undefined ? {} : { last_name: lastName }),
    state: 'enabled',
  }
  const named = changeUser(before, input, await changeContext(tx, input, now))
  const user = { ...named, password_hash: passwordHash, verified_email: true }
  await saveUser(tx, user)
  const entry = {
    companyId: user.company_id,
    userId: user.id,
    action: 'invitation accepted',
    subject: user.email,
  } as const
  await record(tx, entry, origin, now)
  return user
}

/** Sets a user's password. Links that would set one end; the caller ends sessions. */
export async function setPassword(
  tx: Tx,
  { company_id, id }: Pick<UserState, 'company_id' | 'id'>,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const { user } = await lockUserById(tx, company_id, id)
  await saveUser(tx, { ...user, password_hash: passwordHash, updated_at: now })
  await endLinks(tx, { companyId: company_id, userId: id }, 'reset')
}

/** Writes a user's document again from its row. A user who had no document has not been counted either. */
export async function refreshUser(tx: Tx, companyId: number, id: number): Promise<void> {
  const { user, isShown } = await lockUserById(tx, companyId, id)
  await saveUser(tx, user)
  if (!isShown) await adjustCounter(tx, companyId, USERS, 1)
}

async function changeContext(tx: Tx, { default_address }: UserInput, now: Date) {
  const { takePartId: takeId } = await takeIds(tx, USERS, 0, default_address ? 1 : 0)
  return { now, takeId, findCountry }
}

async function addUser(tx: Tx, user: Omit<NewUser, 'id' | 'token'>, input: UserInput, now: Date): Promise<UserState> {
  const context = await changeContext(tx, input, now)
  const token = randomCapitals(16)
  const { id } = await tx
    .insertInto('users')
    // Disabled until its fields are saved, as an invited user is: other companies may have invited the same address.
    .values({
      company_id: user.company_id,
      email: user.email,
      token,
      state: 'disabled',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseTaken)
  const added = newUser({ ...user, id, token }, input, context)
  await saveUser(tx, added)
  await adjustCounter(tx, user.company_id, USERS, 1)
  return added
}

async function saveUser(tx: Tx, user: UserState): Promise<Written<UserState>> {
  const { company_id, id, default_address, permissions, ...columns } = user
  const document = asciiJson(presentUser(user))
  await tx
    .updateTable('users')
    .set({
      ...columns,
      default_address: default_address === null ? null : JSON.stringify(default_address),
      permissions: JSON.stringify(permissions),
      document,
    })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken)
  return { state: user, document }
}

const UNIQUE_EMAILS = ['users_account_email', 'users_company_email']

/** Only the indexes detect two users who take an address at once. */
function refuseTaken(error: { code?: string; constraint?: string }): never {
  const isTaken = error.code === '23505' && UNIQUE_EMAILS.includes(error.constraint ?? '')
  throw isTaken ? validationFailed('email', emailTaken()) : error
}
