/** The headers of an answer, as undici gives them. */
export function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const entries = Object.entries(received).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one]))
  return new Headers(entries as [string, string][])
}

/** The JSON of a body; undefined for anything else. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
