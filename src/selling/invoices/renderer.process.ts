import { answerRequests } from '#platform/processes/limited-process.ts'
import { drawPackingSlips } from './packing-slips/pdf.process.ts'
import type { PackingSlip } from './packing-slips/state.ts'
import { drawInvoice } from './pdf.process.ts'
import type { InvoiceContent } from './state.ts'

export type RenderRequest = { content: InvoiceContent } | { slips: readonly PackingSlip[] }

answerRequests((request: RenderRequest) =>
  'slips' in request ? drawPackingSlips(request.slips) : drawInvoice(request.content),
)
