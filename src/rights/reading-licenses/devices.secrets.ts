import { hash } from 'node:crypto'

/** A reading app as a device of the customer: its own id may be long, and may be known to others. */
export function readerDevice(deviceId: string): string {
  return `lcp-${hash('sha256', deviceId, 'base64url').slice(0, 22)}`
}
