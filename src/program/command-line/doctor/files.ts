import { sql } from 'kysely'
import { pictureFolder } from '#catalog/pictures/names.rules.ts'
import type { Db } from '#platform/db/database.ts'
import { readNumbers } from '#platform/db/numbers.ts'
import type { Config } from '#platform/settings/config.ts'
import { openFiles } from '#program/boot/files.ts'
import { bad, type Finding, fine } from './finding.ts'

/** So many from each end: a database that came back without its files misses the newest, or all of them. */
const EACH_END = 50

const REMEDY =
  'Bring the files back from a backup. docs/guides/back-up-and-restore.md says how, without writing over those that are there.'

/** Are the files there that the database knows? */
export async function checkFiles(db: Db, config: Config): Promise<Finding> {
  const what = 'Files'
  const files = openFiles(config)
  const keys = [...(await contentKeys(db)), ...(await pictureKeys(db))]
  const found = await Promise.all(keys.map((key) => files.exists(key)))
  const missing = keys.filter((_key, index) => found[index] !== true)
  if (missing.length === 0) return fine(what, `looked for ${keys.length}, all are there`)
  return bad(
    what,
    `${missing.length} of ${keys.length} that were looked for are missing, such as ${missing[0]}`,
    REMEDY,
  )
}

/** By the key of the table, which takes no longer in a large one. */
async function contentKeys(db: Db): Promise<string[]> {
  const rows = await readNumbers(
    db,
    sql`(select key from content_blobs order by company_id, sha256 limit ${EACH_END})
      union (select key from content_blobs order by company_id desc, sha256 desc limit ${EACH_END})`,
  )
  return rows.map((row) => row.word('key'))
}

async function pictureKeys(db: Db): Promise<string[]> {
  const rows = await readNumbers(
    db,
    sql`(select company_id, id, file from pictures where file is not null order by company_id, id limit ${EACH_END})
      union (select company_id, id, file from pictures where file is not null order by company_id desc, id desc limit ${EACH_END})`,
  )
  return rows.map((row) => `${pictureFolder(row.word('company_id'), row.word('id'))}/${row.word('file')}`)
}
