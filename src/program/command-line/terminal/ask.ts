import { createOutbound } from '#platform/outbound/outbound.ts'

/** Reads an address that the operator has named, wherever it is. */
export async function ask(
  url: string,
  patienceMs: number,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const outbound = createOutbound({ isPublic: () => true })
  try {
    const { statusCode, body } = await outbound.request(url, { headers, signal: AbortSignal.timeout(patienceMs) })
    return { status: statusCode, text: await body.text() }
  } finally {
    await outbound.close()
  }
}
