import { isIP } from 'node:net'
import { connect } from 'node:tls'

const TIMEOUT_MS = 5000
const HTTPS_PORT = 443

/**
 * Until when the certificate is valid that is presented at an address; undefined if none can be seen, because the address
 * has no TLS or cannot be reached. Whether it is trusted is for browsers to say.
 */
export function readCertificateEnd(address: string): Promise<Date | undefined> {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== 'https:') return Promise.resolve(undefined)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port) || HTTPS_PORT,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    })
    const end = (seen: Date | undefined) => {
      socket.destroy()
      resolve(seen)
    }
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const until = new Date(valid_to ?? '')
      end(Number.isNaN(until.getTime()) ? undefined : until)
    })
    socket.once('timeout', () => end(undefined))
    socket.once('error', () => end(undefined))
  })
}
