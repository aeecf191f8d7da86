import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { isBeingCopied } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files/files.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import { keepLease } from '#platform/jobs/keep-lease.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { BEFORE_ALL_PUBLICATIONS, deleteOrphans, markFailed, markReady } from './commands.ts'
import { openContentKey } from './content-keys.secrets.ts'
import { type EncryptResult, encryptFiles } from './encrypt.files.ts'
import { PROTECT_PUBLICATION } from './jobs.ts'
import type { LocalPart } from './package.process.ts'
import { findPublication } from './queries.ts'
import { FILES_GONE, TOO_MUCH_MEMORY } from './refusals.facts.ts'
import { FORMATS, isTriedOnceMore, publicationFolder } from './rules.ts'
import type { Part, PublicationState } from './state.ts'

export type EncryptDependencies = { db: Db; files: Files; vault: Vault; clock: Clock }

type ProtectionJob = Job<{ id: number }, number>

/** Handles PROTECT_PUBLICATION: encrypts and stores the files, or records why that is not possible. */
export function createProtector({ db, files, vault, clock }: EncryptDependencies): JobHandler {
  return createHandler(PROTECT_PUBLICATION, protect, giveUp)

  function protect(job: ProtectionJob): Promise<void> {
    return keepLease({ db, clock }, job, () => protectNow(job))
  }

  async function protectNow({ companyId, data, attempts }: ProtectionJob): Promise<void> {
    const publication = await findPublication(db, companyId, data.id)
    if (publication === undefined || publication.state !== 'pending') return
    const folder = await mkdtemp(join(tmpdir(), 'licet-protect-'))
    const target = join(folder, 'target')
    try {
      const result = await encryptIn(folder, target, publication)
      if (result.kind === 'encrypted') return await store(publication, target, result)
      if (isTriedOnceMore(result, attempts)) throw new Error(result.reason)
      await fail(publication, result.reason)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Files that ended every worker that tried them. */
  async function giveUp({ companyId, data }: ProtectionJob): Promise<void> {
    const publication = await findPublication(db, companyId, data.id)
    if (publication !== undefined) await fail(publication, TOO_MUCH_MEMORY)
  }

  function fail(publication: PublicationState, reason: string): Promise<void> {
    return inTransaction(db, (tx) => markFailed(tx, publication, reason, clock.of(publication.company_id)))
  }

  async function encryptIn(folder: string, target: string, publication: PublicationState): Promise<EncryptResult> {
    const { kind, title, parts, content_key } = publication
    const local: LocalPart[] = []
    for (const [index, part] of parts.entries()) {
      const path = join(folder, String(index))
      if (!(await fetchPart(part, path))) return { kind: 'refused', reason: FILES_GONE, isFinal: true }
      local.push({ path, name: part.name, content_type: part.content_type, duration: part.duration })
    }
    const key = openContentKey(vault, content_key).toString('base64')
    return encryptFiles({ kind, title, parts: local, target, key })
  }

  async function fetchPart({ key }: Part, path: string): Promise<boolean> {
    const stored = await files.stream(key)
    if (stored === undefined) return false
    await pipeline(stored.stream, createWriteStream(path))
    return true
  }

  async function store(
    publication: PublicationState,
    path: string,
    { bytes, directory }: Extract<EncryptResult, { kind: 'encrypted' }>,
  ): Promise<void> {
    // Each try has a name of its own: its bytes differ from those of every other one.
    const name = `publication-${randomBytes(6).toString('hex')}.${FORMATS[publication.kind].ending}`
    const key = `${publicationFolder(publication)}/${name}`
    await files.putFile(key, path)
    const stored = { key, size: bytes, sha256: await sha256Of(path), directory }
    const isKept = await inTransaction(db, (tx) => markReady(tx, publication, stored, clock.of(publication.company_id)))
    if (!isKept) await files.delete(key)
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Deletes what was encrypted of files that are gone. While a backup is made, its files stay. */
export async function deleteOrphanedPublications(
  { db, files }: Pick<EncryptDependencies, 'db' | 'files'>,
  companyId: number | null = null,
): Promise<void> {
  let place: typeof BEFORE_ALL_PUBLICATIONS | undefined = BEFORE_ALL_PUBLICATIONS
  while (place !== undefined && !(await isBeingCopied(db))) {
    const after: typeof BEFORE_ALL_PUBLICATIONS = place
    const { deleted, last } = await inTransaction(db, (tx) => deleteOrphans(tx, companyId, after))
    for (const publication of deleted) await files.deleteAll(publicationFolder(publication))
    place = last
  }
}
