import { isFree } from '#catalog/products/content-files.facts.ts'
import { productTypeOf } from '#catalog/products/types.facts.ts'
import { reportInvalidLanguage } from '#identity/languages/rules.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { NOT_CHECKED } from './checks/state.ts'
import { nameIsNoFileName, roleUnknown } from './errors.ts'
import type { FileChange, FileInput } from './schema.ts'
import type { ContentFileState, FileOfPurchase, ReadyFile } from './state.ts'

export const ROLES = ['main_hd', 'main_sd', 'trailer', 'preview', 'extra', 'subtitles', 'trial'] as const
export type Role = (typeof ROLES)[number]

/** May everybody fetch the file, whether or not they bought anything? A trial also needs the permission of its product. */
export function isPublic({ role }: Pick<ContentFileState, 'role'>): boolean {
  return isFree(role)
}

export function isReady(file: ContentFileState): file is ReadyFile {
  return file.status === 'ready'
}

/** A name without a path, which every system can store. */
function isFileName(name: string): boolean {
  return name.trim() !== '' && !/[/\\\p{Cc}]/u.test(name) && name !== '.' && name !== '..'
}

function readRole(text: string | undefined, report: FieldReport): Role {
  const role = ROLES.find((known) => known === (text ?? 'main_sd'))
  if (role === undefined) report.add('role', roleUnknown(ROLES))
  return role ?? 'main_sd'
}

function readName(text: string, report: FieldReport): string {
  if (!isFileName(text)) report.add('name', nameIsNoFileName())
  return text.trim()
}

/** An empty code: the file has no language. */
function readCode(text: string, stored: string | undefined, report: FieldReport): string {
  const code = text.toLowerCase()
  reportInvalidLanguage(code, stored, 'language', report)
  return code
}

/** A file that has no bytes yet. */
export function newFile(
  key: { company_id: number; id: number; product_key: number; position: number },
  input: FileInput,
  now: Date,
): ContentFileState {
  const report = new FieldReport()
  const file: ContentFileState = {
    ...key,
    ...NOT_CHECKED,
    name: readName(input.name, report),
    role: readRole(input.role, report),
    language: readCode(input.language ?? '', undefined, report),
    position: input.position ?? key.position,
    status: 'uploading',
    refusal: null,
    content_type: null,
    size: null,
    sha256: null,
    created_at: now,
    updated_at: now,
    ready_at: null,
    removed_at: null,
  }
  report.throwIfAny()
  return file
}

/** A file after a change of what is said about it. Its bytes never change. */
export function changeFile(
  file: ContentFileState,
  input: FileChange,
  productKey: number | undefined,
  now: Date,
): ContentFileState {
  const report = new FieldReport()
  const changed = {
    ...file,
    product_key: productKey ?? file.product_key,
    name: input.name === undefined ? file.name : readName(input.name, report),
    role: input.role === undefined ? file.role : readRole(input.role, report),
    language: readCode(input.language ?? file.language, file.language, report),
    position: input.position ?? file.position,
    updated_at: now,
  }
  report.throwIfAny()
  return changed
}

/** Would buyers of the product lose the file by this change? */
export function leavesBuyers(before: ContentFileState, after: ContentFileState): boolean {
  return isReady(before) && (before.product_key !== after.product_key || before.role !== after.role)
}

/** The part of an entitlement that decides which files belong to it. */
export type Purchase = { granted_at: Date; hd: boolean; product_type: number }

/** Products that are not sold in HD and SD have their main files under either role. */
export function includesHd({ hd, product_type }: Omit<Purchase, 'granted_at'>): boolean {
  return hd || productTypeOf(product_type).hasVersions !== true
}

/**
 * The files of a product that belong to a purchase: those that the product has now but for its trial, and those that it had
 * at the time of the purchase or later and has no longer. A removed file is left out once a file of the same role and language has been
 * added since the purchase, because that one replaces it.
 */
export function filesOfPurchase(files: readonly FileOfPurchase[], purchase: Purchase): FileOfPurchase[] {
  const { granted_at } = purchase
  const ofVersion = files.filter(({ role }) => role !== 'trial' && (role !== 'main_hd' || includesHd(purchase)))
  const replaces = (old: ReadyFile) => (file: ReadyFile) =>
    file.removed_at === null && file.role === old.role && file.language === old.language && file.ready_at > granted_at
  return ofVersion
    .filter((file) => {
      if (file.removed_at === null) return true
      return granted_at <= file.removed_at && !ofVersion.some(replaces(file))
    })
    .sort(inOrder)
}

/** The main files come first, the best one before others. */
export function inOrder(a: ContentFileState, b: ContentFileState): number {
  return ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || a.position - b.position || a.id - b.id
}
