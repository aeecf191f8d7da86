import { sql } from 'kysely'
import { findSigningSecret, readSigningSecrets } from '#identity/companies/queries.ts'
import { type CompanyTime, nowInSeconds } from '#platform/clock.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import { isSameAddress } from '#platform/outbound/addresses.ts'
import { createCustomer } from '../commands.ts'
import { accountChanged, isMeanwhileChanged } from '../errors.ts'
import { type CheckOptions, createChecks } from '../passwords/checks.commands.ts'
import type { Credentials } from '../passwords/queries.ts'
import { lockBuyer, type OwnCustomer } from '../queries.ts'
import type { LanguageHints } from '../rules.ts'
import { type OpenedToken, openLoginToken } from './cipher.secrets.ts'
import { expiryOf, type LoginRefusal, type LoginToken, readLoginToken, refusalOf } from './rules.ts'

export type LoginRequest = {
  companyId: number
  /** The login token as it was sent. */
  text: string
  /** The network address of the request. */
  address: string
  acceptLanguage: string
}

/** The work of the caller in the transaction that uses the token up. */
export type Admission<Result> = (tx: Tx, customer: OwnCustomer) => Promise<Result>

export type Admitted<Result> = { kind: 'entered'; result: Result; returnTo: string | undefined }
/** The reason is for the log: whoever sent the token does not learn it. */
export type Refused = { kind: 'refused'; why: string }

const refused = (why: LoginRefusal): Refused => ({ kind: 'refused', why })

/** Reads a token and checks all of it that needs no customer. */
function readToken(opened: OpenedToken, address: string, now: Date): LoginToken | LoginRefusal {
  if (opened.content === undefined) return 'the content is not that of a login token'
  const token = readLoginToken(opened.content)
  if (typeof token === 'string') return token
  return refusalOf(token, (remoteIp) => isSameAddress(remoteIp, address), now) ?? token
}

export type LoginOptions = CheckOptions & { now: CompanyTime }

/**
 * Lets customers in by a login token that the site of a shop owner made. The account is created if it is missing. Of many
 * requests with one token, one succeeds; one that is refused does not use the token up.
 */
export function createLogin(options: LoginOptions) {
  const { prove } = createChecks(options)
  const { db, now, clock, change } = options

  /** The password is slow to check, so it is checked before the transaction. */
  async function credentialsOf(companyId: number, { customer }: LoginToken): Promise<Credentials | undefined> {
    return customer.kind === 'token' ? undefined : prove(companyId, customer.input)
  }

  async function attempt<Result>(
    request: LoginRequest,
    opened: OpenedToken,
    token: LoginToken,
    admit: Admission<Result>,
  ): Promise<Admitted<Result> | Refused> {
    const { companyId } = request
    const credentials = await credentialsOf(companyId, token)
    if (credentials?.kind === 'limited') return refused('too many wrong passwords')
    if (credentials?.kind === 'wrong') return refused('the password is wrong')
    const hints = { country: '', acceptLanguage: request.acceptLanguage }
    return change(async (tx) => {
      if (!(await takeToken(tx, companyId, opened.hash, expiryOf(token), nowInSeconds(clock))))
        return refused('the token was used already')
      const customer = await enterCustomer(tx, companyId, token, credentials, hints, now(companyId))
      // A refusal in this transaction is thrown, because it must not use the token up.
      if (typeof customer === 'string') throw new LoginRefused(customer)
      return { kind: 'entered', result: await admit(tx, customer), returnTo: token.returnTo }
    })
  }

  return async function enter<Result>(
    request: LoginRequest,
    admit: Admission<Result>,
  ): Promise<Admitted<Result> | Refused> {
    const secret = await findSigningSecret(db, request.companyId)
    if (secret === undefined) return refused('the company is disabled')
    const opened = openLoginToken(request.text, secret)
    if (opened === undefined) return refused('the token was not made with the secret of the company')
    const token = readToken(opened, request.address, nowInSeconds(clock))
    if (typeof token === 'string') return refused(token)
    try {
      // Another token for the same new customer may be faster: the account is known the second time.
      return await attempt(request, opened, token, admit).catch((error: unknown) => {
        if (isMeanwhileChanged(error)) return attempt(request, opened, token, admit)
        throw error
      })
    } catch (error) {
      if (error instanceof LoginRefused) return refused(error.why)
      if (error instanceof Problem && error.status < 500) return { kind: 'refused', why: error.message }
      throw error
    }
  }
}

/** So many secrets are tried for a token that names no shop. On a larger platform its address has to name the shop. */
const SIGNERS_MAX = 100

/** The company that made a token, among the oldest ones; undefined if it is none of them. */
export async function findSigner(db: Db, text: string): Promise<number | undefined> {
  const companies = await readSigningSecrets(db, SIGNERS_MAX)
  return companies.find(({ secret }) => openLoginToken(text, secret) !== undefined)?.id
}

/** The address to which a token of the company leads; undefined if it has none, or was not made by the company. */
export async function readReturnTo(db: Db, companyId: number, text: string): Promise<string | undefined> {
  const secret = await findSigningSecret(db, companyId)
  return secret === undefined ? undefined : openLoginToken(text, secret)?.content?.return_to || undefined
}

class LoginRefused extends Error {
  readonly why: LoginRefusal

  constructor(why: LoginRefusal) {
    super(why)
    this.why = why
  }
}

/** Marks the token as used; false if it was used before. A second request waits here for the first one. */
async function takeToken(tx: Tx, companyId: number, hash: Buffer, expiresAt: Date | null, now: Date): Promise<boolean> {
  const added = await tx
    .insertInto('used_login_tokens')
    .values({ company_id: companyId, token_hash: hash, used_at: now, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

async function enterCustomer(
  tx: Tx,
  companyId: number,
  { customer: named }: LoginToken,
  credentials: Credentials | undefined,
  hints: LanguageHints,
  now: Date,
): Promise<OwnCustomer | LoginRefusal> {
  const known =
    named.kind === 'token'
      ? await lockBuyer(tx, companyId, 'token', named.token.toUpperCase())
      : await lockBuyer(tx, companyId, 'email', named.input.email)
  if (known !== undefined) {
    if (known.account.state !== 'enabled') return 'the customer is disabled'
    if (named.kind === 'token') return known
    // The account was created after the look for its password.
    if (credentials?.kind === 'new') throw accountChanged()
    // The password was checked before the account was locked.
    const isSame = credentials?.kind === 'known' && credentials.passwordHash === known.account.password_hash
    return isSame ? known : 'the password is wrong'
  }
  if (named.kind === 'token' || credentials === undefined) return 'the company does not know the customer'
  const { state } = await createCustomer(tx, { companyId }, named.input, credentials, now, { hints })
  return state.account.state === 'enabled' ? state : 'the customer is disabled'
}

/** Deletes the marks of tokens that are refused for their age. */
export function deleteOldLoginTokens(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(tx, 'used_login_tokens', 'expires_at', sql`expires_at <= ${now}`)
}
