import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

export const FILM_KEY = 'content/1000/1000-0123456789abcdef0123456789abcdef'

/** An installation with a shop and a film, and with a public key for its backups. The private one is in `own.key`. */
export function useSealedInstallation(filmBytes: number) {
  const film = randomBytes(filmBytes)
  const opened: TestDatabase[] = []
  let room = ''
  let settings: Record<string, string> = {}

  async function emptyInstallation(name: string): Promise<Record<string, string>> {
    const empty = await createDatabase('empty')
    opened.push(empty)
    return { LICET_DATA: join(room, name), DATABASE_URL: empty.url }
  }

  before(async () => {
    room = await temporaryFolder('licet-stored-')
    const made = await run(['backup-key', join(room, 'own.key'), '--json'], {})
    assert.equal(made.code, 0, made.err)
    settings = { ...(await emptyInstallation('data')), LICET_BACKUP_RECIPIENT: JSON.parse(made.out).recipient }
    assert.equal((await run(['company', 'create', '--name', 'Books', '--email', 'a@example.com'], settings)).code, 0)
    assert.equal((await run(['seed', '--products', '5', '--orders', '10'], settings)).code, 0)
    await mkdir(join(room, 'data/content/1000'), { recursive: true })
    await writeFile(join(room, 'data', FILM_KEY), film)
  })
  after(async () => {
    for (const { drop } of opened) await drop()
  })

  return {
    film,
    emptyInstallation,
    get room() {
      return room
    },
    get settings() {
      return settings
    },
  }
}
