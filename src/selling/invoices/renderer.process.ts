import { answerRequests } from '#platform/processes/limited-process.ts'
import { drawInvoice } from './pdf.process.ts'
import type { InvoiceContent } from './state.ts'

export type RenderRequest = { content: InvoiceContent }

answerRequests(({ content }: RenderRequest) => drawInvoice(content))
