import { findSignInLink, type SignInLink } from '#people/customers/links/queries.ts'
import { findSignUp, type SignUp } from '#people/customers/sign-ups/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { findOrderByPath } from '#selling/orders/queries.ts'
import { readLinkQuery } from './rules.ts'

type ShopRef = { companyId: number; shopId: number }

/** A mailed link that signs in to this shop; undefined if it is unknown, used, expired, or for something else. */
export async function findShopLink(
  db: Db,
  { companyId, shopId }: ShopRef,
  token: string,
  now: Date,
): Promise<SignInLink | undefined> {
  const link = await findSignInLink(db, token, now)
  const isForShop = link?.companyId === companyId && readLinkQuery(link.query, shopId) !== undefined
  return isForShop ? link : undefined
}

export function findMailedSignUp(
  db: Db,
  { companyId, shopId: themeSettingId }: ShopRef,
  token: string,
  now: Date,
): Promise<SignUp | undefined> {
  return findSignUp(db, { companyId, themeSettingId }, token, now)
}

/** The address that a mail about an order went to, by the secret of the order in a link of the mail; empty if it is wrong. */
export async function readMailedAddress(db: Db, { companyId, shopId }: ShopRef, path: string): Promise<string> {
  if (path === '') return ''
  return (await findOrderByPath(db, companyId, shopId, path))?.email ?? ''
}
