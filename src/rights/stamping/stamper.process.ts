import { readFile, writeFile } from 'node:fs/promises'
import { answerRequests } from '#platform/processes/limited-process.ts'
import { stampEpub } from './epub.process.ts'
import { stampPdf } from './pdf.process.ts'
import { Unstampable } from './refusals.facts.ts'
import type { Stamp, StampableFormat } from './rules.ts'

/** A file to copy with a stamp. The target must not exist yet. */
export type StampRequest = { format: StampableFormat; source: string; target: string; stamp: Stamp }

export type StampAnswer = { kind: 'stamped' } | { kind: 'refused'; reason: string }

async function stampFile({ format, source, target, stamp }: StampRequest): Promise<StampAnswer> {
  try {
    if (format === 'epub') await stampEpub(source, target, stamp)
    else await writeFile(target, await stampPdf(await readFile(source), stamp), { flag: 'wx' })
    return { kind: 'stamped' }
  } catch (error) {
    if (!(error instanceof Unstampable)) throw error
    return { kind: 'refused', reason: error.message }
  }
}

answerRequests(stampFile)
