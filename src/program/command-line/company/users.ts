import type { Command } from 'commander'
import { record } from '#history/audit/commands.ts'
import { invite } from '#identity/users/commands.ts'
import { sendInvitation } from '#identity/users/invitations/commands.ts'
import { createLink } from '#identity/users/links/commands.ts'
import { type LinkKind, linkAddress, linkExpiry } from '#identity/users/links/rules.ts'
import { presentUser } from '#identity/users/present.ts'
import { findUserByEmail, hasUser, isEmailTaken, readUsers } from '#identity/users/queries.ts'
import { hasAccepted, nameOf } from '#identity/users/rules.ts'
import type { User } from '#identity/users/schema.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'

import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { findLatestMailId } from '#platform/mail/store.ts'
import type { Config } from '#platform/settings/config.ts'
import { NAME_MAX } from '#platform/wire/schema.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, email, getCompany, pattern, userExists } from '../administration.ts'
import { command, print, type Terminal } from '../program.ts'
import { table } from '../terminal/table.ts'

const name = pattern(new RegExp(`^\\P{Cc}{0,${NAME_MAX}}$`, 'u'), `It may have up to ${NAME_MAX} characters.`)

export function addUsers(program: Command, terminal: Terminal): void {
  const user = program
    .command('user')
    .description('Invite, list and reset the users of a company.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })

  command(user, 'invite', 'Invite somebody to run a shop.')
    .requiredOption('--company <id>', 'company to run', companyId)
    .requiredOption('--email <address>', 'where the invitation goes', email)
    .option('--first-name <name>', 'first name', name)
    .option('--last-name <name>', 'last name', name)
    .option('--create-users', 'may invite users and say what they may do')
    .action(async (options: InviteOptions & { json?: boolean }) => {
      const config = terminal.config()
      const baseUrl = ownAddress(config)
      const result = await withDatabase(config, (db) => inviteByOperator(db, options, baseUrl))
      const sending = inviteSentence(options.email, result.mail_id, config)
      print(terminal, options.json, result, `${sending}\n${inWords(result)}`)
    })

  command(user, 'list', 'List the users of a company.')
    .requiredOption('--company <id>', 'company that they run', companyId)
    .action(async (options: { company: number; json?: boolean }) => {
      const users = await withDatabase(terminal.config(), async (db) => {
        await getCompany(db, options.company)
        return (await readUsers(db, options.company)).map(presentUser)
      })
      print(terminal, options.json, { users }, inTable(users))
    })

  command(user, 'reset', 'Make a link with which a user who is locked out chooses a new password.')
    .requiredOption('--email <address>', 'email address of the user', email)
    .action(async (options: { email: string; json?: boolean }) => {
      const config = terminal.config()
      const baseUrl = ownAddress(config)
      const result = await withDatabase(config, (db) => resetByOperator(db, options.email, baseUrl))
      print(terminal, options.json, result, inWords(result))
    })
}

/** The address of the service. Only the running service knows a port that the system chose. */
export function ownAddress({ baseUrl, host, port }: Config): string {
  if (baseUrl !== undefined) return baseUrl
  if (port === 0) throw new StartError('The address of the service is not known: set LICET_BASE_URL or PORT.', 2)
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

type MadeLink = { link: string; expires_at: string }

function made(link: string, kind: LinkKind, now: Date): MadeLink {
  return { link, expires_at: linkExpiry(kind, now).toISOString() }
}

function inWords({ link, expires_at }: MadeLink): string {
  return `This link works once, until ${expires_at}:\n${link}`
}

/** Without a mail server the mail stays where it is, so it must not sound as if it were delivered. */
function inviteSentence(address: string, mailId: number | undefined, { mail }: Config): string {
  return mail === undefined
    ? `The mail to ${address} is kept: no mail server is configured. Read it with \`npx licet mails ${mailId}\`.`
    : `The mail to ${address} is handed to the running service, or to the next that starts.`
}

function inTable(users: User[]): string {
  return table(users, 'The company has no users.', {
    Id: ({ id }) => id,
    Email: ({ email }) => email,
    Name: nameOf,
    State: ({ valid, state }) => (valid ? state : 'invited'),
    Permissions: ({ permissions }) =>
      Object.entries(permissions)
        .flatMap(([flag, set]) => (set === 1 ? [flag] : []))
        .join(', ') || 'none',
  })
}

type InviteOptions = { company: number; email: string; firstName?: string; lastName?: string; createUsers?: boolean }

async function inviteByOperator(db: Db, options: InviteOptions, baseUrl: string) {
  await getCompany(db, options.company)
  if ((await isEmailTaken(db, options.email)) || (await hasUser(db, options.company, options.email)))
    throw userExists(options.email)
  const now = nowInSeconds(machineClock)
  const input = {
    email: options.email,
    ...(options.firstName === undefined ? {} : { first_name: options.firstName }),
    ...(options.lastName === undefined ? {} : { last_name: options.lastName }),
    ...(options.createUsers === true ? { permissions: { create_users: 1 } } : {}),
  }
  const { user, link } = await inTransaction(db, (tx) =>
    invite(tx, options.company, {}, input, { origin: COMMAND_LINE, baseUrl }, now),
  )
  const mail_id = await findLatestMailId(db, options.company, options.email)
  return { user_id: user.id, token: user.token, mail_id, ...made(link, 'invitation', now) }
}

/** A user without a password gets the invitation again: there is nothing to reset. */
async function resetByOperator(db: Db, address: string, baseUrl: string): Promise<MadeLink> {
  const now = nowInSeconds(machineClock)
  return inTransaction(db, async (tx) => {
    const user = await findUserByEmail(tx, address)
    if (user === undefined) throw new StartError(`There is no user ${address}.`, 2)
    if (!hasAccepted(user))
      return made(await sendInvitation(tx, user, {}, { origin: COMMAND_LINE, baseUrl }, now), 'invitation', now)
    if (user.state === 'disabled') throw new StartError(`The user ${user.email} is disabled.`)
    const owner = { companyId: user.company_id, userId: user.id }
    const token = await createLink(tx, { kind: 'reset', ...owner }, now)
    await record(tx, { ...owner, action: 'password reset asked for', subject: user.email }, COMMAND_LINE, now)
    return made(linkAddress(baseUrl, 'reset', token), 'reset', now)
  })
}
