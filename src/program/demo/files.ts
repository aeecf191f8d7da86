import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productsOf } from '#catalog/products/queries.ts'
import { PACKAGE, typesOf } from '#catalog/products/types.facts.ts'
import { contentFilesOf } from '#rights/content-files/queries.ts'
import type { Role } from '#rights/content-files/rules.ts'
import { type DiskUpload, uploadFromDisk } from '#rights/content-files/uploads/from-disk.files.ts'
import { makeZip } from './archive.ts'
import { makeDemoBook } from './book.ts'
import { DEMO_PRODUCTS } from './shop.ts'

const MEDIA = join(import.meta.dirname, 'media')

type DemoFile = {
  name: string
  role: Role
  language?: string
  from: { media: string } | { bytes: () => Buffer }
}

/** When somebody speaks in the film: at the pier, on deck, and where nine people wait. */
const SPOKEN = ['00:00:05,400 --> 00:00:08,600', '00:00:11,500 --> 00:00:15,500', '00:00:19,800 --> 00:00:23,200']
const TALK = {
  en: [
    'The last ferry leaves at ten.',
    '– You could turn around.\n– Not with nine people waiting.',
    'Then there are ten of us.',
  ],
  de: [
    'Die letzte Fähre geht um zehn.',
    '– Sie könnten umkehren.\n– Nicht, wenn neun Leute warten.',
    'Dann sind wir zehn.',
  ],
}

const FILM: readonly DemoFile[] = [
  { name: 'film-hd.mp4', role: 'main_hd', from: { media: 'film-hd.mp4' } },
  { name: 'film-sd.mp4', role: 'main_sd', from: { media: 'film-sd.mp4' } },
  { name: 'film-hd.en.srt', role: 'subtitles', language: 'en', from: { bytes: () => makeSubtitles(TALK.en) } },
  { name: 'film-hd.de.srt', role: 'subtitles', language: 'de', from: { bytes: () => makeSubtitles(TALK.de) } },
  { name: 'trailer.mp4', role: 'trailer', from: { media: 'trailer.mp4' } },
]
const ALBUM: readonly DemoFile[] = [
  { name: '01 First light.mp3', role: 'main_sd', from: { media: 'track-1.mp3' } },
  { name: '02 Last train.mp3', role: 'main_sd', from: { media: 'track-2.mp3' } },
]
const BOOK: readonly DemoFile[] = [{ name: 'book.epub', role: 'main_sd', from: { bytes: makeDemoBook } }]
const COURSE: readonly DemoFile[] = [{ name: 'course.pdf', role: 'main_sd', from: { bytes: makePages } }]
const PROGRAM: readonly DemoFile[] = [{ name: 'program.zip', role: 'main_sd', from: { bytes: makeProgram } }]

/** Every product of these types gets the files, so that whatever a newcomer buys can be opened. */
const SETS: readonly { types: readonly number[]; files: readonly DemoFile[] }[] = [
  { types: typesOf('film'), files: FILM },
  { types: typesOf('audio'), files: ALBUM },
  { types: typesOf('book'), files: BOOK },
  { types: typesOf('software'), files: PROGRAM },
  { types: [PACKAGE], files: COURSE },
]

/** A PDF of two pages with a line on each. */
function makePages(): Buffer {
  const lines = ['Lesson 1: this page was made by the demo shop.', 'Lesson 2: upload a PDF of your own, and sell it.']
  const streams = lines.map((line) => `BT /F1 16 Tf 56 740 Td (${line}) Tj ET`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${streams.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')}] /Count ${streams.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.flatMap((stream, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
}

function makeSubtitles(lines: readonly string[]): Buffer {
  const cues = lines.map((line, at) => `${at + 1}\n${SPOKEN[at]}\n${line}\n`)
  return Buffer.from(cues.join('\n'))
}

function makeProgram(): Buffer {
  return makeZip({
    'hello/hello.sh': '#!/bin/sh\necho "Hello from the demo shop."\n',
    'hello/README.txt': 'Run hello.sh in a terminal. It says hello, and that is all.\n',
  })
}

/**
 * Gives a demo shop something to deliver for each film, album, book, course and program. It does nothing where the company has
 * content files, so that it runs after every start without a cost.
 */
export async function addDemoFiles(
  options: Omit<DiskUpload, 'author' | 'onProgress'>,
  companyId: number,
): Promise<void> {
  const { db } = options
  if ((await contentFilesOf(db, companyId).select('id').limit(1).executeTakeFirst()) !== undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'licet-demo-'))
  const disk = { ...options, author: { companyId }, onProgress: () => {} }
  try {
    // Those that the demo came with: a seed may add thousands, which need no files.
    const products = await productsOf(db, companyId)
      .select(['products.product_id', 'products.product_type', 'products.published'])
      .orderBy('products.id')
      .limit(DEMO_PRODUCTS)
      .execute()
    // The home page leads with the newest, which gets its files first, and all of them. The others can be opened.
    const newestFirst = products.filter(({ published }) => published).reverse()
    for (const { types, files } of SETS) {
      const ofTypes = newestFirst.filter(({ product_type }) => types.includes(product_type))
      for (const [at, { product_id }] of ofTypes.entries())
        for (const file of files) if (at === 0 || file.role === 'main_sd') await addFile(disk, folder, product_id, file)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function addFile(disk: DiskUpload, folder: string, product_id: string, { name, role, language, from }: DemoFile) {
  const path = join(folder, name)
  if ('media' in from) await copyFile(join(MEDIA, from.media), path)
  else await writeFile(path, from.bytes())
  await uploadFromDisk(disk, path, { product_id, role, ...(language === undefined ? {} : { language }) })
}
