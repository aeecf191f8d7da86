import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { Service, Shop } from './harness.ts'

/** Encrypts a content as the site of a shop owner does. */
export function encryptLogin(secret: string, content: unknown, iv = randomBytes(16)): string {
  const keys = createHash('sha256').update(secret).digest()
  const cipher = createCipheriv('aes-128-cbc', keys.subarray(0, 16), iv)
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const data = Buffer.concat([iv, cipher.update(text), cipher.final()])
  const signature = createHmac('sha256', keys.subarray(16)).update(data).digest()
  return Buffer.concat([data, signature]).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** A login token of a shop. */
export async function aLoginToken(service: Service, { companyId }: Shop, content: object): Promise<string> {
  const { external_access_token } = await service.db
    .selectFrom('companies')
    .select('external_access_token')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  return encryptLogin(external_access_token, content)
}
