import type { Outbound, OutboundRequest } from '#platform/outbound/outbound.ts'

/** More than any answer of a gateway has. */
const BYTES_MAX = 1_048_576

export type ApiRequest = {
  method: NonNullable<OutboundRequest['method']>
  headers: Record<string, string>
  body: string | null
  timeoutMs: number
}

export type ApiAnswer = { statusCode: number; headers: object; text: string }

/** Sends a request to the API of a gateway through the one guarded client of the service, and reads the whole answer. */
export async function sendRequest(
  outbound: Outbound,
  url: string,
  { method, headers, body, timeoutMs }: ApiRequest,
): Promise<ApiAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await outbound.request(url, { method, headers, body, signal })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer.body) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) throw new Error(`the answer has more than ${BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return { statusCode: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() }
}
