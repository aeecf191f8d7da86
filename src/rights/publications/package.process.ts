import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createZipWriter, type ZipDirectory } from '#platform/zip/writer.ts'
import { addEncrypted } from './cipher.process.ts'
import type { PublicationKind } from './state.ts'

export type LocalPart = { path: string; name: string; content_type: string; duration: number | null }

const PROFILES = {
  pdf: 'https://readium.org/webpub-manifest/profiles/pdf',
  audiobook: 'https://readium.org/webpub-manifest/profiles/audiobook',
}

type Packaged = Exclude<PublicationKind, 'epub'>

/** A package with a manifest, as the standard has it for what is no EPUB. Its files are compressed by themselves already. */
export async function protectPackage(
  { kind, title, parts }: { kind: Packaged; title: string; parts: readonly LocalPart[] },
  target: string,
  key: Buffer,
): Promise<ZipDirectory> {
  await using file = await open(target, 'wx')
  const writer = createZipWriter(file)
  const sized = await Promise.all(parts.map(async (part) => ({ ...part, size: (await stat(part.path)).size })))
  const entries = sized.map((part, index) => ({ ...part, href: hrefOf(kind, part.name, index) }))
  await writer.add('manifest.json', Buffer.from(JSON.stringify(manifestOf(kind, title, entries))))
  for (const { path, href, size } of entries)
    await addEncrypted(writer, href, { key, size, open: async () => createReadStream(path) })
  return await writer.finish()
}

/** Names from outside are in the manifest, and not in the paths. */
function hrefOf(kind: Packaged, name: string, index: number): string {
  if (kind === 'pdf') return 'publication.pdf'
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? 'mp3'
  return `audio/${index + 1}.${ending}`
}

type Entry = LocalPart & { href: string; size: number }

function manifestOf(kind: Packaged, title: string, entries: readonly Entry[]) {
  const known = entries.every(({ duration }) => duration !== null)
  const total = entries.reduce((sum, { duration }) => sum + (duration ?? 0), 0)
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      ...(kind === 'audiobook' ? { '@type': 'http://schema.org/Audiobook' } : {}),
      conformsTo: PROFILES[kind],
      title,
      ...(kind === 'audiobook' && known ? { duration: total } : {}),
    },
    links: [],
    readingOrder: entries.map(({ href, name, content_type, duration, size }) => ({
      href,
      type: content_type,
      title: kind === 'pdf' ? title : name.replace(/\.[A-Za-z0-9]{1,5}$/, ''),
      ...(duration === null ? {} : { duration }),
      properties: {
        encrypted: {
          scheme: 'http://readium.org/2014/01/lcp',
          algorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
          originalLength: size,
        },
      },
    })),
  }
}
