import { join } from 'node:path'
import { createLimitedProcesses, ProcessEnded } from '#platform/processes/limited-process.ts'
import type { PackingSlip } from './packing-slips/state.ts'
import type { RenderRequest } from './renderer.process.ts'
import type { InvoiceContent } from './state.ts'

const PROCESSES = 2
/** Requests that wait hold a connection to the database. */
const WAITING_MAX = 20
/** Ten times as much as the longest order. */
const TEXT_MAX = 1_500_000

/**
 * A name in Chinese needs many glyphs, and a long order many lines: seconds in which the service would answer nobody. There are
 * two processes, so that the invoice of one company delays no other company. They stay for a minute, because loading the fonts
 * takes longer than most invoices.
 */
const renderer = createLimitedProcesses<RenderRequest, Uint8Array>(
  PROCESSES,
  { script: join(import.meta.dirname, 'renderer.process.ts'), memoryMb: 1536, timeoutMs: 30_000, idleMs: 60_000 },
  WAITING_MAX,
)

/** The PDF of an invoice or a credit note. An invoice that cannot be rendered fails alone; the next gets a new process. */
export function renderInvoice(content: InvoiceContent): Promise<Buffer> {
  return render({ content }, `${content.kind} ${content.number}`)
}

/** Packing slips as one PDF. */
export function renderPackingSlips(slips: readonly PackingSlip[]): Promise<Buffer> {
  return render({ slips }, `packing slips of ${slips.map(({ orderId }) => orderId).join(', ')}`)
}

async function render(request: RenderRequest, name: string): Promise<Buffer> {
  if (JSON.stringify(request).length > TEXT_MAX) throw new Error(`${name}: too long`)
  try {
    const pdf = await renderer.ask(async () => request)
    return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error
    throw new Error(`${name} could not be rendered`, { cause: error })
  }
}
