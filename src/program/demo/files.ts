import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productsOf } from '#catalog/products/queries.ts'
import { PACKAGE, typesOf } from '#catalog/products/types.facts.ts'
import { contentFilesOf } from '#rights/content-files/queries.ts'
import type { Role } from '#rights/content-files/rules.ts'
import { type DiskUpload, uploadFromDisk } from '#rights/content-files/uploads/from-disk.files.ts'
import { makeZip } from './archive.ts'
import { makeDemoBook } from './books/book.ts'
import { makeCourse, makeMakingOf } from './books/making-of.ts'
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
const PDF_BOOK: readonly DemoFile[] = [
  { name: 'making-the-last-ferry.pdf', role: 'main_sd', from: { bytes: makeMakingOf } },
]
const COURSE: readonly DemoFile[] = [{ name: 'course.pdf', role: 'main_sd', from: { bytes: makeCourse } }]
const PROGRAM: readonly DemoFile[] = [{ name: 'program.zip', role: 'main_sd', from: { bytes: makeProgram } }]

type FileSet = { types: readonly number[]; title?: string; files: readonly DemoFile[] }

/** Every product of these types gets the files, so that whatever a newcomer buys can be opened. The first set that fits counts. */
const SETS: readonly FileSet[] = [
  { types: typesOf('film'), files: FILM },
  { types: typesOf('audio'), files: ALBUM },
  { types: typesOf('book'), title: 'Making The Last Ferry', files: PDF_BOOK },
  { types: typesOf('book'), files: BOOK },
  { types: typesOf('software'), files: PROGRAM },
  { types: [PACKAGE], files: COURSE },
]

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
      .select(['products.product_id', 'products.product_type', 'products.title', 'products.published'])
      .orderBy('products.id')
      .limit(DEMO_PRODUCTS)
      .execute()
    // The home page leads with the newest, which gets its files first, and all of them. The others can be opened.
    const newestFirst = products.filter(({ published }) => published).reverse()
    for (const set of SETS) {
      const ofSet = newestFirst.filter((product) => setOf(product) === set)
      for (const [at, { product_id }] of ofSet.entries())
        for (const file of set.files)
          if (at === 0 || file.role === 'main_sd') await addFile(disk, folder, product_id, file)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function setOf({ product_type, title }: { product_type: number; title: string }): FileSet | undefined {
  return SETS.find((set) => set.types.includes(product_type) && (set.title === undefined || set.title === title))
}

async function addFile(disk: DiskUpload, folder: string, product_id: string, { name, role, language, from }: DemoFile) {
  const path = join(folder, name)
  if ('media' in from) await copyFile(join(MEDIA, from.media), path)
  else await writeFile(path, from.bytes())
  await uploadFromDisk(disk, path, { product_id, role, ...(language === undefined ? {} : { language }) })
}
