import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Stamp, StampableFormat } from '#rights/stamping/rules.ts'
import { stampFile } from '#rights/stamping/stamp.files.ts'

const STAMP: Stamp = { name: 'Jane Doe', email: 'jane@example.com', order: '#1000', date: '2031-06-01', language: 'en' }

/** Stamps files as the worker does, in the process with limits, in a folder that is deleted after the tests of the file. */
export function useStamping() {
  let folder = ''
  let files = 0
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'licet-stamping-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  function newPath(): string {
    files += 1
    return join(folder, `${files}`)
  }

  async function stamp(format: StampableFormat, content: Uint8Array, as: Partial<Stamp> = {}) {
    const [source, target] = [newPath(), newPath()]
    await writeFile(source, content)
    return { target, ...(await stampFile({ format, source, target, stamp: { ...STAMP, ...as } })) }
  }

  return {
    newPath,
    /** The path of the copy. */
    async stamped(format: StampableFormat, content: Uint8Array, as?: Partial<Stamp>): Promise<string> {
      const { target, ...result } = await stamp(format, content, as)
      assert.deepEqual(result, { kind: 'stamped', bytes: (await readFile(target)).length })
      return target
    },
    async assertRefused(reason: string, format: StampableFormat, content: Uint8Array): Promise<void> {
      const { target: _target, ...result } = await stamp(format, content)
      assert.deepEqual(result, { kind: 'refused', reason, isFinal: true })
    },
  }
}
