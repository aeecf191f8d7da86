import { readBook } from '#rights/stamping/epub.process.ts'
import { chapterPathsOf } from '#rights/stamping/package-document.process.ts'
import { EPUB_ENCRYPTED, Unstampable } from '#rights/stamping/refusals.facts.ts'
import { type Checked, type FileFault, NOT_CHECKED } from './state.ts'

/** Opens a book as readers do. It runs in a process of its own; see checker.process.ts. */
export async function checkEpub(path: string): Promise<Checked> {
  try {
    return await readBook(path, async ({ entries, packagePath, text }) => {
      const chapters = chapterPathsOf(text, packagePath)
      if (chapters.length === 0) return { ...NOT_CHECKED, fault: 'no_reading_order' }
      const isWhole = chapters.every((chapter) => chapter !== undefined && entries.has(chapter))
      return { ...NOT_CHECKED, chapters: chapters.length, fault: isWhole ? null : 'chapters_missing' }
    })
  } catch (error) {
    return { ...NOT_CHECKED, fault: causeOf(error) }
  }
}

/** What else is wrong with a book keeps readers from opening it. */
function causeOf(error: unknown): FileFault {
  return error instanceof Unstampable && error.message === EPUB_ENCRYPTED ? 'encrypted' : 'damaged'
}
