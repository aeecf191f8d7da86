import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { useDatabaseWay } from '#test/database-way.ts'
import { useService } from '#test/harness.ts'
import { noteWorking } from './commands.ts'
import { readDays } from './queries.ts'
import { firstDay, statusOf } from './rules.ts'
import { PARTS } from './state.ts'

const way = useDatabaseWay()
const service = useService({ statusPage: true, databaseWay: way })
const quiet = useService()

const open = async (language = 'en') => {
  const response = await fetch(`${service.url}/status`, { headers: { 'accept-language': language } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const note = (time: Date, ...parts: (typeof PARTS)[number][]) =>
  inTransaction(service.db, (tx) => noteWorking(tx, parts, time))

describe('what the worker notes', () => {
  test('is a bit for each minute, whoever notes it and how often', async () => {
    await sql`delete from status_days`.execute(service.db)
    const at = (time: string) => new Date(`2031-05-${time}Z`)
    await note(at('01T23:58:10'), 'shops')
    await note(at('01T23:59:10'), 'shops')
    await Promise.all([note(at('02T00:00:00'), 'shops', 'mails'), note(at('02T00:00:30'), 'mails', 'shops')])
    await note(at('02T00:03:00'), 'shops')
    const rows = await readDays(service.db, '2031-05-01')
    const shops = rows.filter(({ part }) => part === 'shops')
    assert.deepEqual(
      shops.map(({ day, good, first }) => [day, good, first]),
      [
        ['2031-05-01', 2, 1438],
        ['2031-05-02', 2, 0],
      ],
    )
    const [status] = statusOf(rows, at('02T00:04:10'))
    // Minutes 1 and 2 were lost; those before the first note were not.
    assert.deepEqual(
      [status?.works, status?.share, status?.days.at(-1)?.lostMinutes, status?.days.at(-2)?.lostMinutes],
      [true, 4 / 6, 2, 0],
    )
    assert.equal(status?.days.at(-3)?.lostMinutes, undefined)
    const later = statusOf(rows, at('04T00:00:00'))[0]
    assert.deepEqual([later?.works, later?.days.at(-2)?.lostMinutes, later?.days.length], [false, 1440, 90])
    assert.equal(firstDay(at('02T00:00:00')), '2031-02-02')
    await sql`delete from status_days`.execute(service.db)
  })
})

describe('/status', () => {
  test('is not there unless the operator wants it', async () => {
    const response = await fetch(`${quiet.url}/status`)
    assert.equal(response.status, 404)
  })

  test('says what works and what was disturbed, in the language of the browser, and when the database is away', async () => {
    const now = service.clock.now()
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
    await note(ago(2880), ...PARTS)
    await note(now, 'shops', 'work', 'webhooks')
    const { status, headers, text } = await open('de-AT')
    assert.equal(status, 200)
    assert.match(text, /<html lang="de">/)
    assert.match(text, /<h1>Nicht alles funktioniert<\/h1>/)
    assert.equal(text.match(/class="chip good"/g)?.length, 3)
    assert.match(text, /<h2 class="grow">E-Mails<\/h2><span class="chip bad">Gestört<\/span>/)
    assert.match(text, /Störungen[\s\S]*E-Mails: 1[.\s]?440 Minuten/)
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('vary')?.includes('accept-language')],
      ['public, max-age=30', true],
    )
    assert.equal(text.match(/<span class="(good|some|bad|unknown)"><\/span>/g)?.length, 4 * 90)
    // What was read is kept, so that many visitors cost nothing.
    const known = service.log.length
    await Promise.all(Array.from({ length: 20 }, () => open()))
    assert.ok(service.log.length >= known)
    for (const language of ['en', 'es', 'fr', 'it', 'pt'])
      assert.match((await open(language)).text, new RegExp(`lang="${language}"`))
    way.cut()
    const away = await open()
    assert.equal(away.status, 200)
    assert.match(away.text, /Emails: [\d,]+ minutes/)
    way.mend()
  })
})
