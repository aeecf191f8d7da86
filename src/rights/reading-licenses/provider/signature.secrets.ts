import type { Provider } from './provider.files.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined }

/** JSON with its names in order and nothing between, so that everybody signs and checks the same bytes. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`
}

/** A license with the signature of its provider. */
export function signDocument(provider: Provider, document: { [name: string]: Json | undefined }) {
  return {
    ...document,
    signature: {
      algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      certificate: provider.certificate.raw.toString('base64'),
      value: provider.sign(Buffer.from(canonicalJson(document))).toString('base64'),
    },
  }
}
