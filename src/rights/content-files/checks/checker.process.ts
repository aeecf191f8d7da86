import { answerRequests } from '#platform/processes/limited-process.ts'
import type { Checked, CheckedFormat } from './state.ts'

/** A local file to read. */
export type CheckRequest = { format: CheckedFormat; path: string; contentType: string }

/** Each library is loaded with the first file that needs it. */
answerRequests<CheckRequest, Checked>(async ({ format, path, contentType }) => {
  if (format === 'pdf') return (await import('./pdf.process.ts')).checkPdf(path)
  if (format === 'epub') return (await import('./epub.process.ts')).checkEpub(path)
  return (await import('./media.process.ts')).checkMedia(path, contentType)
})
