import assert from 'node:assert/strict'
import { allRefusals } from '#platform/errors/problem.ts'

type Answer = { status: number; text: string; body: { error_code?: unknown; reason?: unknown } | null | undefined }

/** Every error response names a declared reason, with the status that was declared for it. */
export function assertReason({ status, text, body }: Answer): void {
  // Endpoints of OAuth answer in the shape of RFC 6749, which has no error_code.
  if (status < 400 || body?.error_code === undefined) return
  assert.equal(allRefusals().get(String(body.reason))?.status, status, text)
}
