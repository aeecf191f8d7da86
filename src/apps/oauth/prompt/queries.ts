import { findCompany, findRequiringSecondFactor, listOtherCompanies } from '#identity/companies/queries.ts'
import { hasSecondFactor } from '#identity/sign-in/second-factor/queries.ts'
import { findUser } from '#identity/users/queries.ts'
import { managesUsers } from '#identity/users/rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { Session } from '#platform/identity/session.ts'
import { badPrompt } from '../errors.ts'
import { findApp } from '../queries.ts'
import { knownScopes, type ServedScopes } from '../scopes.facts.ts'
import type { App } from '../state.ts'
import { grantedTogether, isAmbiguous, type PromptRequest, possibleRedirectUris, readPromptRequest } from './rules.ts'

export type Choice = { id: number; company_name: string }

/**
 * The companies that a signed-in user can let an app act for: their own, and those that name it as their partner. One that
 * requires two-step sign-in is not offered to somebody who signs in with a password alone, who could not work for it either.
 */
export async function findChoices(db: Db, session: Session): Promise<Choice[]> {
  const own = await findCompany(db, session.companyId)
  if (own === undefined) return []
  const associates = await listOtherCompanies(db, session.companyId)
  const ids = associates.map(({ id }) => id)
  const strict = ids.length === 0 ? new Set<number>() : await findRequiringSecondFactor(db, ids)
  const closed = strict.size === 0 || (await hasSecondFactor(db, session)) ? new Set<number>() : strict
  return [own, ...associates.filter(({ id }) => !closed.has(id))]
}

export type Person = { email: string; mayManageUsers: boolean }

/** The signed-in user, and whether they may manage users. */
export async function findPerson(db: Db, session: Session): Promise<Person> {
  const user = await findUser(db, session.userId)
  return { email: user?.email ?? '', mayManageUsers: user !== undefined && managesUsers(user) }
}

const NEXT = 'Go back to the app and try again. If that does not help, tell its maker this:'

/** Reads the app and its request. A request that may not come from the app gets a page, never a redirect. */
export async function readPrompt(
  db: Db,
  query: string,
  served: ServedScopes,
): Promise<{ app: App; prompt: PromptRequest }> {
  if (isAmbiguous(query)) throw badPrompt(`The address of this page has a part twice. ${NEXT} a parameter is repeated.`)
  const clientId = new URLSearchParams(query).get('client_id') ?? ''
  if (clientId === '') throw badPrompt(`The app did not say which app it is. ${NEXT} client_id is missing.`)
  const app = await findApp(db, clientId)
  if (app === undefined) throw badPrompt(`There is no such app here. ${NEXT} client_id is not known.`)
  const possible = possibleRedirectUris(query)
  if (possible.every((uri) => uri === ''))
    throw badPrompt(`The app did not say where to go afterwards. ${NEXT} redirect_uri is missing.`)
  const redirectUri = possible.find((uri) => app.redirect_uris.includes(uri))
  if (redirectUri === undefined)
    throw badPrompt(
      `${app.name} wants to send you to an address that is not its own. ${NEXT} redirect_uri is not registered.`,
    )
  const prompt = readPromptRequest(query, redirectUri)
  const scopes = prompt.scopes.length === 0 && !query.includes('scope=') ? knownScopes(app.scopes) : prompt.scopes
  return { app, prompt: { ...prompt, scopes: grantedTogether(scopes.filter((scope) => served.has(scope))) } }
}
