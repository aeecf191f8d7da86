import { answerRequests } from '#platform/limited-process.ts'
import { drawInvoice } from './pdf.ts'
import type { InvoiceContent } from './state.ts'

export type RenderRequest = { content: InvoiceContent }

answerRequests(({ content }: RenderRequest) => drawInvoice(content))
