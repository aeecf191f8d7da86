import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type DatabaseHandle, openDatabase } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { useMailServer } from '#test/mail-server.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type Settings, start, temporaryFolder, until } from './program.ts'
import { run } from './terminal.ts'

const login = { user: 'shop', password: 'hunter-2-hunter' }
const server = useMailServer({ login })
let database: TestDatabase
let handle: DatabaseHandle
let settings: Settings
let withServer: Settings

before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 2 })
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url, LICET_DEMO: 'off' }
  withServer = { ...settings, LICET_SMTP_URL: await server.listening, LICET_MAIL_FROM: 'Shop <shop@example.com>' }
})

after(async () => {
  await handle.close()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)

function queue(mail: Partial<NewMail>): Promise<void> {
  const words = {
    companyId: null,
    to: 'jane@example.com',
    subject: 'Hello',
    text: 'Hello,\nJane',
    html: '<p>Hello</p>',
  }
  return inTransaction(handle.db, (tx) => queueMail(tx, { ...words, ...mail }, new Date()))
}

const jobsLeft = async () => (await handle.db.selectFrom('jobs').select('id').execute()).length

/** The program, which prints a line as soon as it loads the mailer. */
function worker(env: Settings) {
  const hook = `import{registerHooks as h}from'node:module';h({load(u,c,n){if(/[/]nodemailer[/]/.test(u))console.log('LOADED');return n(u,c)}})`
  return start(['worker'], { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` })
}

describe('mails', () => {
  test('are kept by a worker without a mail server, which does not even load what sends them', async () => {
    await queue({ subject: 'First' })
    await queue({ subject: 'Second\u001b[2J', to: 'john@example.com', text: 'Danger\u001b[31m\n', carriesSecret: true })
    const kept = worker(settings)
    await until('the jobs are done', async () => (await jobsLeft()) === 0)
    kept.kill('SIGTERM')
    const { code, out } = await kept.ended
    assert.equal(code, 0)
    assert.ok(!out.includes('LOADED'))
  })

  test('are listed newest first, and shown whole', async () => {
    const { mails } = JSON.parse((await licet('mails', '--json')).out)
    assert.deepEqual(
      mails.map(({ subject, state }: { subject: string; state: string }) => [subject, state]),
      [
        ['Second\u001b[2J', 'kept'],
        ['First', 'kept'],
      ],
    )
    assert.ok(!('text' in mails[0]) && !('html' in mails[0]))
    assert.equal(JSON.parse((await licet('mails', '--json', '--limit', '1')).out).mails.length, 1)
    const lines = (await licet('mails')).out.trim().split('\n')
    assert.match(lines[0] ?? '', /^ *Id {2}Created +To +Subject +State$/)
    assert.match(lines[1] ?? '', /^\d+ {2}\d{4}-\S+ \S+ {2}john@example\.com {2}Second \[2J +kept$/)
    const { mail } = JSON.parse((await licet('mails', String(mails[1].id), '--json')).out)
    assert.deepEqual([mail.id, mail.text, mail.html], [mails[1].id, 'Hello,\nJane', '<p>Hello</p>'])
    const whole = await licet('mails', String(mails[0].id))
    assert.match(whole.out, /^Subject {2}Second \[2J\nState {4}kept\n\nDanger \[31m$/m)
    assert.ok(!whole.out.includes('\u001b'))
  })

  test('are opened in the browser as their recipients see them, or left in a file where there is none', async () => {
    const { mails } = JSON.parse((await licet('mails', '--json')).out)
    const id = String(mails[1].id)
    const opened: string[] = []
    const inBrowser = await run(['mails', id, '--open'], settings, {
      open: async (file) => {
        opened.push(file)
        return true
      },
    })
    const [file = ''] = opened
    assert.equal(inBrowser.out, `Opened ${file}\n`, inBrowser.err)
    assert.equal(await readFile(file, 'utf8'), '<p>Hello</p>')
    assert.equal((await stat(file)).mode & 0o077, 0, 'no other account can read it')
    const without = await run(['mails', id, '--open'], settings)
    assert.match(without.out, /^There is no browser here\. Open \/\S+\.html\n$/)
    const whichOne = await run(['mails', '--open'], settings)
    assert.deepEqual([whichOne.code, whichOne.err], [2, 'Say which mail to open, such as "licet mails 1000 --open".\n'])
  })

  test('are not sent without a mail server, and what is asked wrongly is told in a sentence', async () => {
    const sentence = 'There is no mail server to send them with: set LICET_SMTP_URL.\n'
    assert.deepEqual(await licet('mails', 'send'), { code: 2, signal: null, out: '', err: sentence })
    for (const args of [['999'], ['first'], ['--limit', '0'], ['1000', '1001'], ['send', 'all']]) {
      const { code, out, err } = await licet('mails', ...args)
      assert.deepEqual({ code, out }, { code: 2, out: '' }, args.join(' '))
      assert.match(err, /^[^\n]{10,200}\n$/)
    }
  })

  test('that were kept are sent by the real program once there is a server, and once only', async () => {
    const sent = await run(['mails', 'send', '--json'], withServer)
    assert.deepEqual(sent, { code: 0, signal: null, out: '{"queued":2}\n', err: '' })
    assert.equal((await run(['mails', 'send'], withServer)).out, 'There is nothing to send.\n')
    const running = worker(withServer)
    await until('both have arrived', async () => server.received.length === 2 && (await jobsLeft()) === 0)
    running.kill('SIGTERM')
    const { code, out, err } = await running.ended
    assert.deepEqual([code, err, out.includes('LOADED')], [0, '', true])
    assert.ok(!out.includes(login.password))
    assert.deepEqual(server.received.map(({ email }) => email.subject?.slice(0, 6)).sort(), ['First', 'Second'])
    const { mails } = JSON.parse((await licet('mails', '--json')).out)
    const secret = await licet('mails', String(mails[0].id))
    assert.match(secret.out, /^State {4}sent \d{4}-/m)
    assert.match(secret.out, /its text was deleted when it was sent/)
  })

  test('that were given up are sent again if that is asked for', async () => {
    await handle.db
      .updateTable('mails')
      .set({ sent_at: null, failed_at: new Date(), last_error: '550 no such user' })
      .where('subject', '=', 'First')
      .execute()
    assert.match((await licet('mails')).out, /First +failed \S+ \S+: 550 no such user$/m)
    assert.equal((await run(['mails', 'send'], withServer)).out, 'There is nothing to send.\n')
    const asked = await run(['mails', 'send', '--failed'], withServer)
    assert.equal(asked.out, '1 mail is handed to the running service, or to the next that starts.\n')
    assert.match((await licet('mails')).out, /First +waiting: 550 no such user$/m)
  })
})

describe('doctor', () => {
  const said = async (env: Settings) => (await run(['doctor'], env)).out

  test('tells whether there is a mail server and how the mails are doing', async () => {
    await handle.db.deleteFrom('jobs').execute()
    await handle.db.deleteFrom('mails').execute()
    await queue({})
    const without = await said(settings)
    assert.match(without, /^warning Mail server: not set \(LICET_SMTP_URL\): mails are kept, and nobody gets them$/m)
    assert.match(without, /^ok {3}Mails: 1 waiting, 0 kept, 0 failed \(see "licet mails"\)$/m)
    assert.match(
      await said(withServer),
      new RegExp(`^ok {3}Mail server: 127\\.0\\.0\\.1:${server.port}, lets us in$`, 'm'),
    )
  })

  test('tells why a mail server does not let us in, without the password', async () => {
    const url = server.url.replace(login.password, 'wrong-secret')
    const wrong = await said({ ...withServer, LICET_SMTP_URL: url })
    assert.match(wrong, /^BAD {2}Mail server: 127\.0\.0\.1:\d+, Invalid login: 535 /m)
    assert.ok(!wrong.includes('wrong-secret'))
    assert.match(
      await said({ ...withServer, LICET_SMTP_URL: 'smtp://127.0.0.1:9' }),
      /^BAD {2}Mail server: .*ECONNREFUSED/m,
    )
  })
})
