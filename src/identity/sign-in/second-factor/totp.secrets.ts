import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const PERIOD_SECONDS = 30

function generator(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Licet', label, digits: 6, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) })
}

export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The QR code for authenticator apps. */
export function qrCode(secret: string, email: string): string {
  return renderSVG(generator(secret, email).toString(), { border: 1 })
}

/** The time step of a code, if it is the current one or a neighbour: clocks differ a little. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const delta = generator(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}
