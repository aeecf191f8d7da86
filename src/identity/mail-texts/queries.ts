import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { MailKind } from './kinds.facts.ts'
import { presentMailTexts } from './present.ts'
import type { OwnTexts } from './state.ts'

/** Every read of own texts starts here, so none can forget the company. */
export function mailTextsOf(db: Db, companyId: number) {
  return db.selectFrom('mail_texts').where('mail_texts.company_id', '=', companyId)
}

/** The own texts of a company beside its row, for those who write its mails. */
export const textsOfCompany = sql<Pick<OwnTexts, 'language' | 'texts'>[]>`coalesce((
  select json_agg(json_build_object('language', own.language, 'texts', own.texts))
  from mail_texts as own where own.company_id = companies.id), '[]'::json)`

export type StoredTexts = OwnTexts & { updated_at: Date | null }

export async function readMailTexts(
  db: Db,
  companyId: number,
  { kind, language }: { kind: MailKind; language: string },
): Promise<StoredTexts> {
  const row = await mailTextsOf(db, companyId)
    .select(['texts', 'updated_at'])
    .$narrowType<Pick<OwnTexts, 'texts'>>()
    .where('kind', '=', kind)
    .where('language', '=', language)
    .executeTakeFirst()
  return { kind, language, texts: row?.texts ?? {}, updated_at: row?.updated_at ?? null }
}

export async function getMailTextsDocument(
  db: Db,
  companyId: number,
  ref: { kind: MailKind; language: string },
): Promise<string> {
  return asciiJson(presentMailTexts(await readMailTexts(db, companyId, ref)))
}

/** How many own texts a company has for each kind and language; those without any are left out. */
export async function countOwnTexts(
  db: Db,
  companyId: number,
): Promise<{ kind: string; language: string; count: number }[]> {
  const rows = await mailTextsOf(db, companyId).select(['kind', 'language', 'texts']).execute()
  return rows.map(({ kind, language, texts }) => ({ kind, language, count: Object.keys(Object(texts)).length }))
}

/** Keeps others from changing the own texts of a company until the transaction ends. There may be no row to lock yet. */
export async function lockMailTexts(tx: Tx, companyId: number): Promise<void> {
  await tx.selectFrom('companies').select('id').where('id', '=', companyId).forNoKeyUpdate().execute()
}
