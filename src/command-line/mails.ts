import type { Command } from 'commander'
import { StartError } from '#boot/start-error.ts'
import { closeStore, openMigratedStore } from '#boot/store.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { findMail, type ListedMail, listMails, requeueMails, type WholeMail } from '#platform/mail/store.ts'
import { wireTime } from '#platform/wire.ts'
import { command, plain, print, type Terminal, wholeNumber } from './program.ts'

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
    .action(async (id: number | undefined, options: { limit: number; json?: boolean }) => {
      if (id === undefined) {
        const listed = await withDatabase((db) => listMails(db, options.limit))
        const lines = listed.map(inOneLine)
        print(terminal, options.json, { mails: listed }, lines.length === 0 ? 'There are no mails.' : lines.join('\n'))
      } else {
        const mail = await withDatabase((db) => findMail(db, id))
        if (mail === undefined) throw new StartError(`There is no mail ${id}.`, 2)
        print(terminal, options.json, { mail }, inWhole(mail))
      }
    })

  command(mails, 'send', 'Send the mails that were kept while there was no mail server.')
    .option('--failed', 'also those that were given up')
    .action(async (_options: object, own: Command) => {
      const { failed = false, json } = own.optsWithGlobals<{ failed?: boolean; json?: boolean }>()
      if (terminal.config().mail === undefined)
        throw new StartError('There is no mail server to send them with: set LICET_SMTP_URL.', 2)
      const queued = await withDatabase((db) =>
        inTransaction(db, (tx) => requeueMails(tx, { failed }, nowInSeconds(systemClock))),
      )
      const sentence = `${queued} ${queued === 1 ? 'mail is' : 'mails are'} handed to the running service, or to the next that starts.`
      print(terminal, json, { queued }, queued === 0 ? 'There is nothing to send.' : sentence)
    })
}

function stateOf({ state, sent_at, failed_at, last_error }: ListedMail): string {
  const reason = last_error === null ? '' : `: ${plain(last_error)}`
  if (sent_at !== null) return `sent ${wireTime(sent_at)}`
  return failed_at === null ? `${state}${reason}` : `failed ${wireTime(failed_at)}${reason}`
}

function inOneLine(mail: ListedMail): string {
  return `${mail.id}  ${wireTime(mail.created_at)}  ${plain(mail.recipient)}  "${plain(mail.subject)}"  ${stateOf(mail)}`
}

function inWhole(mail: WholeMail): string {
  const text = mail.text ?? '(It opened a door: its text was dropped when it was sent.)'
  return [
    `Mail     ${mail.id}${mail.company_id === null ? '' : `, company ${mail.company_id}`}`,
    `Made     ${wireTime(mail.created_at)}`,
    ...(mail.sender_name === null ? [] : [`From     ${plain(mail.sender_name)}`]),
    ...(mail.reply_to === null ? [] : [`Answers  ${plain(mail.reply_to)}`]),
    `To       ${plain(mail.recipient)}`,
    `Subject  ${plain(mail.subject)}`,
    `State    ${stateOf(mail)}`,
    '',
    ...text.split(/\r\n|[\r\n]/).map(plain),
  ].join('\n')
}
