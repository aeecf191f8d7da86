import { open } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Checked, type FileFault, NOT_CHECKED } from './state.ts'

/** Everything that reads PDFs from outside to count their pages. It runs in a process of its own; see checker.process.ts. */

export async function checkPdf(path: string): Promise<Checked> {
  if (!(await hasEnd(path))) return { ...NOT_CHECKED, fault: 'incomplete' }
  // Only the parts that are needed are read, so that the size of the file hardly matters.
  const task = getDocument({
    url: pathToFileURL(path).href,
    disableAutoFetch: true,
    disableStream: true,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const document = await task.promise
    // The number alone is what the file says of itself: the last page has to be there.
    await document.getPage(document.numPages)
    return { ...NOT_CHECKED, pages: document.numPages }
  } catch (error) {
    return { ...NOT_CHECKED, fault: causeOf(error) }
  } finally {
    await task.destroy()
  }
}

const END_BYTES = 4096

/** The library would repair a file that was cut by leaving out the pages that are missing. */
async function hasEnd(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, Math.max(0, size - END_BYTES))
  return buffer.subarray(0, bytesRead).includes('%%EOF')
}

function causeOf(error: unknown): FileFault {
  return error instanceof Error && error.name === 'PasswordException' ? 'password_required' : 'damaged'
}
