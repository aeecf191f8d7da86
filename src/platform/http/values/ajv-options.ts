import { parseTime } from '../../wire/times.ts'

/** How bodies and queries are validated. */
export const AJV_OPTIONS = {
  // read-values.ts reads numbers and flags that are sent as text. What a schema does not name is dropped, because clients
  // send back whole objects.
  coerceTypes: false as const,
  removeAdditional: 'all' as const,
  useDefaults: false,
  strict: false,
  // `1e400` is valid JSON, and Infinity after parsing.
  strictNumbers: true,
  allowUnionTypes: true,
  formats: {
    'wire-time': (text: string) => parseTime(text) !== undefined,
    'http-url': (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  },
}
