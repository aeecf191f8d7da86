import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** Encrypts for a public key, piece by piece, in the format of age (age-encryption.org/v1). */
export async function seal(body: Readable, recipient: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return fromWeb(await encrypter.encrypt(toWeb(body)))
}

/** Opens with a private key what was encrypted for its public key. Whoever has changed a byte of it has it fail. */
export async function unseal(body: Readable, identity: string): Promise<Readable> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return fromWeb(await decrypter.decrypt(toWeb(body)))
}

export async function createKeys(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The private key in a file, as `licet backup-key` and age-keygen write it: the line that is no comment. */
export async function readIdentity(file: string): Promise<string | undefined> {
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim())
  return lines.find((line) => line.startsWith('AGE-SECRET-KEY-'))
}

// The types of Node and of browsers for the same streams differ in what nobody uses here.
const toWeb = (body: Readable) => Readable.toWeb(body) as unknown as globalThis.ReadableStream<Uint8Array>
const fromWeb = (body: globalThis.ReadableStream<Uint8Array>) => Readable.fromWeb(body as unknown as ReadableStream)
