import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets that the service has to read again, so that the database alone does not reveal them. */
export type Vault = {
  seal(purpose: string, text: string): Buffer
  open(purpose: string, sealed: Buffer): string
  /** Returns a key for one purpose, the same in every process of the installation. */
  key(purpose: string): Buffer
}

export function createVault(secret: string): Vault {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'licet', purpose, 32))
  return {
    key,
    seal(purpose, text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key(purpose), iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, sealed, cipher.getAuthTag()])
    },
    open(purpose, sealed) {
      const decipher = createDecipheriv(ALGORITHM, key(purpose), sealed.subarray(0, IV_BYTES))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      return decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
