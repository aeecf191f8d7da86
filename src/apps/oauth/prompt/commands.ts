import { record } from '#history/audit/commands.ts'
import { addRefreshToken, createGrant } from '#identity/grants/commands.ts'
import { lockSession } from '#identity/users/sessions/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Session } from '#platform/identity/session.ts'
import { companyNotAllowed, scopesNotAllowed, scopesNotRegistered, signedOutMeanwhile } from '../errors.ts'
import { allowable, withheld } from '../rules.ts'
import type { App } from '../state.ts'
import { findChoices, findPerson } from './queries.ts'
import type { PromptRequest } from './rules.ts'

export type Decision = { session: Session; app: App; prompt: PromptRequest; companyId: number }

/** Lets the app act for the company and returns the code for the redirect. */
export async function allowApp(
  tx: Tx,
  { session, app, prompt, companyId }: Decision,
  origin: Origin,
  now: Date,
): Promise<string> {
  // A password reset ends the other sessions, even one that is answering the prompt at that moment.
  if (!(await lockSession(tx, session))) throw signedOutMeanwhile()
  const choices = await findChoices(tx, session)
  if (!choices.some(({ id }) => id === companyId)) throw companyNotAllowed()
  const { mayManageUsers } = await findPerson(tx, session)
  const scopes = allowable(prompt.scopes, app.scopes, mayManageUsers)
  if (scopes.length === 0)
    throw withheld(prompt.scopes, app.scopes, mayManageUsers).forManagers.length > 0
      ? scopesNotAllowed()
      : scopesNotRegistered(app.name)
  const grant = await createGrant(tx, { companyId, appId: app.id, userId: session.userId, scopes }, now)
  const subject = `${app.name}: ${scopes.join(', ')}`
  const entry = { companyId, userId: session.userId, appId: app.id, action: 'app allowed', subject } as const
  await record(tx, entry, origin, now)
  return addRefreshToken(tx, grant, now, { codeChallenge: prompt.codeChallenge, redirectUri: prompt.redirectUri })
}

export function denyApp(tx: Tx, { session, app, prompt }: Omit<Decision, 'companyId'>, origin: Origin, now: Date) {
  const { companyId, userId } = session
  const subject = `${app.name}: ${prompt.scopes.join(', ')}`
  return record(tx, { companyId, userId, appId: app.id, action: 'app denied', subject }, origin, now)
}
