import { answerRequests } from '#platform/processes/limited-process.ts'
import type { ZipDirectory } from '#platform/zip/writer.ts'
import { Unstampable } from '#rights/stamping/refusals.facts.ts'
import { protectEpub } from './epub.process.ts'
import { type LocalPart, protectPackage } from './package.process.ts'
import type { PublicationKind } from './state.ts'

/** Local files to encrypt into one. The target must not exist yet. */
export type EncryptRequest = {
  kind: PublicationKind
  title: string
  parts: LocalPart[]
  target: string
  /** The content key, in base64. */
  key: string
}

export type EncryptAnswer = { kind: 'encrypted'; directory: ZipDirectory } | { kind: 'refused'; reason: string }

async function encrypt({ kind, title, parts, target, key: encoded }: EncryptRequest): Promise<EncryptAnswer> {
  const key = Buffer.from(encoded, 'base64')
  try {
    const directory =
      kind === 'epub'
        ? await protectEpub(parts[0]?.path ?? '', target, key)
        : await protectPackage({ kind, title, parts }, target, key)
    return { kind: 'encrypted', directory }
  } catch (error) {
    if (!(error instanceof Unstampable)) throw error
    return { kind: 'refused', reason: error.message }
  }
}

answerRequests(encrypt)
