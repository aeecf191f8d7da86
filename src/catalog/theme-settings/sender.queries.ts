import type { Shop } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { findShopFace, type ShopFace } from './queries.ts'
import { senderOf } from './sender.present.ts'

/** A shop as the sender of mails in a language, and where its links lead; without a face it was deleted. */
export async function readSender(
  db: Db,
  { companyId, shopId }: { companyId: number; shopId: number },
  language: string,
  baseUrl?: string,
): Promise<{ sender: Omit<Shop, 'country'>; face: ShopFace | undefined }> {
  const [company, face] = await Promise.all([getCorrespondent(db, companyId), findShopFace(db, companyId, shopId)])
  return { sender: senderOf(company, face, language, baseUrl), face }
}
