import { parseXml } from '#rights/stamping/package-document.process.ts'
import { EPUB_ENCRYPTED, Unstampable } from '#rights/stamping/refusals.facts.ts'

const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'
const CONTAINER = 'urn:oasis:names:tc:opendocument:xmlns:container'

/** Fonts that are only made unreadable for other programs, by the name of the book: every reader undoes it. */
const OBFUSCATIONS = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

export type Encrypted = { path: string; isDeflated: boolean; size: number }

/** The files that a book says are obfuscated; any other encryption refuses it. */
export function obfuscatedPaths(text: string): Set<string> {
  const paths = new Set<string>()
  parseXml(text, (parser) =>
    parser.on('opentag', ({ local, uri, attributes }) => {
      if (uri !== ENCRYPTION) return
      if (local === 'EncryptionMethod' && !OBFUSCATIONS.has(attributes.Algorithm?.value ?? ''))
        throw new Unstampable(EPUB_ENCRYPTED)
      if (local === 'CipherReference') paths.add(decoded(attributes.URI?.value ?? ''))
    }),
  )
  return paths
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** META-INF/encryption.xml with what is encrypted, after what the book has said before. */
export function encryptionDocument(entries: readonly Encrypted[], before: string | undefined): string {
  const added = entries.map(encryptedData).join('')
  const end = before?.lastIndexOf('</') ?? -1
  if (before !== undefined && end >= 0) return before.slice(0, end) + added + before.slice(end)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<encryption xmlns="${CONTAINER}">\n${added}</encryption>\n`
}

function encryptedData({ path, isDeflated, size }: Encrypted): string {
  return `<EncryptedData xmlns="${ENCRYPTION}"><EncryptionMethod Algorithm="${ENCRYPTION}aes256-cbc"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:RetrievalMethod URI="license.lcpl#/encryption/content_key" Type="http://readium.org/2014/01/lcp#EncryptedContentKey"/></ds:KeyInfo><CipherData><CipherReference URI="${uriOf(path)}"/></CipherData><EncryptionProperties><EncryptionProperty><ns:Compression xmlns:ns="http://www.idpf.org/2016/encryption#compression" Method="${isDeflated ? 8 : 0}" OriginalLength="${size}"/></EncryptionProperty></EncryptionProperties></EncryptedData>\n`
}

/** The path of a file as an address: `encodeURI` leaves some signs that mean something there or in XML. */
function uriOf(path: string): string {
  return encodeURI(path.toWellFormed()).replace(
    /[#?&'"<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
