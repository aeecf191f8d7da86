import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { machineClock, nowInSeconds } from '#platform/clock.ts'

import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { findMail, type ListedMail, listMails, requeueMails, type WholeMail } from '#platform/mail/store.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import { command, localTime, plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'

const LIMIT = 50
const LIMIT_MAX = 1000

export function addMails(program: Command, terminal: Terminal): void {
  const withDatabase = async <Result>(work: (db: Db) => Promise<Result>): Promise<Result> => {
    const store = await openMigratedStore(terminal.config())
    try {
      return await work(store.db)
    } finally {
      await closeStore(store)
    }
  }

  const mails = command(program, 'mails', 'List mails, newest first, or show one.')
    .argument('[id]', 'show this one, with its text', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--limit <number>', 'list at most so many', wholeNumber(1, LIMIT_MAX), LIMIT)
    .option('--open', 'show it in the browser, as the recipient sees it')
    .action(async (id: number | undefined, options: { limit: number; open?: boolean; json?: boolean }) => {
      if (id === undefined && options.open === true)
        throw new InvalidArgumentError('Say which mail to open, such as "licet mails 1000 --open".')
      if (id === undefined) {
        const listed = await withDatabase((db) => listMails(db, options.limit))
        print(terminal, options.json, { mails: listed }, inTable(listed))
      } else {
        const mail = await withDatabase((db) => findMail(db, id))
        if (mail === undefined) throw new StartError(`There is no mail ${id}.`, 2)
        if (options.open === true) await show(terminal, mail, options.json)
        else print(terminal, options.json, { mail }, inWhole(mail))
      }
    })

  command(mails, 'send', 'Send the mails that were kept while there was no mail server.')
    .option('--failed', 'also those that were given up')
    .action(async (_options: object, own: Command) => {
      const { failed = false, json } = own.optsWithGlobals<{ failed?: boolean; json?: boolean }>()
      if (terminal.config().mail === undefined)
        throw new StartError('There is no mail server to send them with: set LICET_SMTP_URL.', 2)
      const queued = await withDatabase((db) =>
        inTransaction(db, (tx) => requeueMails(tx, { failed }, nowInSeconds(machineClock))),
      )
      const sentence = `${queued} ${queued === 1 ? 'mail is' : 'mails are'} handed to the running service, or to the next that starts.`
      print(terminal, json, { queued }, queued === 0 ? 'There is nothing to send.' : sentence)
    })
}

/** Writes a mail to a file of its own, which only this account can read, and opens it. */
async function show(terminal: Terminal, mail: WholeMail, json: boolean | undefined): Promise<void> {
  if (mail.html === null)
    throw new StartError(`Mail ${mail.id} has no page to open; "licet mails ${mail.id}" prints its text.`)
  const file = join(await mkdtemp(join(tmpdir(), 'licet-mail-')), `${mail.id}.html`)
  await writeFile(file, mail.html, { mode: 0o600 })
  const opened = (await terminal.open?.(file)) ?? false
  print(terminal, json, { file, opened }, opened ? `Opened ${file}` : `There is no browser here. Open ${file}`)
}

function stateOf({ state, sent_at, failed_at, last_error }: ListedMail): string {
  const reason = last_error === null ? '' : `: ${plain(last_error)}`
  if (sent_at !== null) return `sent ${localTime(sent_at)}`
  return failed_at === null ? `${state}${reason}` : `failed ${localTime(failed_at)}${reason}`
}

function inTable(mails: ListedMail[]): string {
  return table(mails, 'There are no mails.', {
    Id: ({ id }) => id,
    Created: ({ created_at }) => localTime(created_at),
    To: ({ recipient }) => recipient,
    Subject: ({ subject }) => subject,
    State: stateOf,
  })
}

function inWhole(mail: WholeMail): string {
  const text = mail.text ?? '(It had a link that gives access, so its text was deleted when it was sent.)'
  return [
    `Mail     ${mail.id}${mail.company_id === null ? '' : `, company ${mail.company_id}`}`,
    `Created  ${localTime(mail.created_at)}`,
    ...(mail.sender_name === null ? [] : [`From     ${plain(mail.sender_name)}`]),
    ...(mail.reply_to === null ? [] : [`Replies  ${plain(mail.reply_to)}`]),
    `To       ${plain(mail.recipient)}`,
    `Subject  ${plain(mail.subject)}`,
    `State    ${stateOf(mail)}`,
    '',
    ...text.split(/\r\n|[\r\n]/).map(plain),
  ].join('\n')
}
