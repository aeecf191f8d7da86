import { isSafeInline } from '../types.files.ts'

export type Sent = { name: string; content_type: string; sha256: string; ready_at: Date }

/** Whether everybody may fetch it, and caches may keep it. */
export type Audience = 'public' | 'private'

/** The ETag is the hash, so the same bytes have the same one everywhere. */
export function etagOf({ sha256 }: Pick<Sent, 'sha256'>): string {
  return `"${sha256}"`
}

const PUBLIC_SECONDS = 86_400

/** Nothing that is delivered can run in the page of the shop: no scripts, and no guessing of another type. */
export function headersFor(file: Sent, audience: Audience): Record<string, string> {
  const isInline = audience === 'public' && isSafeInline(file.content_type)
  return {
    'accept-ranges': 'bytes',
    'cache-control': audience === 'public' ? `public, max-age=${PUBLIC_SECONDS}` : 'private, no-store',
    'content-disposition': disposition(isInline ? 'inline' : 'attachment', file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': typeOf(file.content_type),
    'cross-origin-resource-policy': 'cross-origin',
    etag: etagOf(file),
    'last-modified': file.ready_at.toUTCString(),
    'x-content-type-options': 'nosniff',
  }
}

/** Pages, drawings and scripts are sent as bytes without a meaning. */
function typeOf(contentType: string): string {
  if (/^text\/(plain|vtt)$/.test(contentType)) return `${contentType}; charset=utf-8`
  return /^(text\/|image\/svg|application\/(xml|javascript|xhtml))/.test(contentType)
    ? 'application/octet-stream'
    : contentType
}

/** RFC 6266: the name in ASCII for old clients, and in full for others. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"; filename*=UTF-8''${full}`
}
