import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PDF_TOO_MANY_PAGES } from './refusals.facts.ts'
import { isTriedOnceMore } from './rules.ts'
import { type Stamped, stampFile } from './stamp.files.ts'

const STAMP = { name: 'Jane Doe', email: 'jane@example.com', order: '#1000', date: '2031-06-01', language: 'en' }

async function stamp(content: Uint8Array): Promise<Stamped> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-stamping-'))
  try {
    const [source, target] = [join(folder, 'source'), join(folder, 'target')]
    await writeFile(source, content)
    return await stampFile({ format: 'pdf', source, target, stamp: STAMP })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each level of pages names the next one twice, and the last one names a page. */
function doubled(levels: number): Buffer {
  const objects = Array.from({ length: levels }, (_, level) => {
    const next = `${level + 3} 0 R`
    return `${level + 2} 0 obj\n<< /Type /Pages /Count 2 /Kids [${next} ${next}] >>\nendobj\n`
  })
  const page = `${levels + 2} 0 obj\n<< /Type /Page /MediaBox [0 0 300 400] >>\nendobj\n`
  const catalog = '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'
  return Buffer.from(`%PDF-1.4\n${catalog}${objects.join('')}${page}trailer\n<< /Root 1 0 R >>\n%%EOF`)
}

test('a PDF with more pages than anybody reads is refused before they are counted', async () => {
  assert.equal((await stamp(doubled(3))).kind, 'stamped')
  const circle = Buffer.from(doubled(1).toString().replace('[3 0 R 3 0 R]', '[2 0 R 3 0 R]'))
  for (const bad of [doubled(30), circle])
    assert.deepEqual(await stamp(bad), { kind: 'refused', reason: PDF_TOO_MANY_PAGES, isFinal: true })
})

test('a PDF that takes long does not delay another one', async () => {
  const ended: string[] = []
  // Both processes are running, so that neither has to start first.
  await Promise.all([stamp(doubled(1)), stamp(doubled(1))])
  const slow = stamp(doubled(15)).then(() => ended.push('slow'))
  await stamp(doubled(1)).then(() => ended.push('quick'))
  await slow
  assert.deepEqual(ended, ['quick', 'slow'])
})

test('a file that took too much memory or time is tried once more', () => {
  const tries = (isFinal: boolean) => [1, 2, 3].map((attempts) => isTriedOnceMore({ isFinal }, attempts))
  assert.deepEqual(
    [tries(false), tries(true)],
    [
      [true, false, false],
      [false, false, false],
    ],
  )
})
