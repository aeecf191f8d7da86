import { isUtf8 } from 'node:buffer'

/** Where the beginning of a text shows what it is. */
const TEXT_HEAD = 4096

const MARKUP: readonly [RegExp, string][] = [
  [/^<!doctype html|^<html|^<head|^<body|^<script|^<iframe|^<h1|^<div|^<title|^<table|^<style/, 'text/html'],
  [/^<svg|^<!doctype svg/, 'image/svg+xml'],
  [/^#!/, 'text/x-shellscript'],
  [/^webvtt/, 'text/vtt'],
]

/**
 * The type of a text, by how it begins; undefined if it is none. A text that is cut in the middle of a character is still
 * a text.
 */
export function typeOfText(head: Buffer): string | undefined {
  const beginning = head.subarray(0, TEXT_HEAD)
  const text = beginning
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const told = afterComments(text).toLowerCase()
  const found = MARKUP.find(([pattern]) => pattern.test(told))
  if (found !== undefined) return found[1]
  if (/^<\?xml/i.test(text)) return /<svg[\s>]/i.test(text) ? 'image/svg+xml' : 'application/xml'
  return isPlainText(beginning) ? 'text/plain' : undefined
}

/** Comments and the XML declaration come before what tells. */
function afterComments(text: string): string {
  let rest = text
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : /^<\?xml/i.test(rest) ? '?>' : undefined
    if (end === undefined) return rest
    const at = rest.indexOf(end)
    if (at === -1) return ''
    rest = rest.slice(at + end.length).trimStart()
  }
}

function isPlainText(bytes: Buffer): boolean {
  const whole = bytes.length < TEXT_HEAD ? bytes : bytes.subarray(0, lastWholeCharacter(bytes))
  // Control characters other than tab, line feed, form feed and carriage return are no text.
  return isUtf8(whole) && !whole.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))
}

/** Where the last character of a cut text begins. */
function lastWholeCharacter(bytes: Buffer): number {
  let end = bytes.length - 1
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

const ZIP = /^application\/(zip|epub\+zip|java-archive|vnd\.|x-apple-)/
const GZIP = /^application\/(gzip|x-gzip|x-compressed-tar)$/
const MP4 = /^(video|audio|application)\/(mp4|x-m4v|x-m4a|quicktime|3gpp2?)$/
const MATROSKA = /^(video|audio)\/(x-)?(matroska|webm)$/
const OGG = /^(video|audio|application)\/ogg(;.*)?$|^audio\/opus$/
const TEXT = /^text\/(plain|vtt|html|x-shellscript)$|^application\/(xml|json|rtf)$|^image\/svg\+xml$/

/** What the bytes of a file with this ending have to be. Other endings promise nothing. */
const ENDINGS: Readonly<Record<string, { words: string; types: RegExp }>> = {
  mp4: { words: 'an MP4 video', types: MP4 },
  m4v: { words: 'an MP4 video', types: MP4 },
  mov: { words: 'a QuickTime video', types: MP4 },
  m4a: { words: 'MP4 audio', types: MP4 },
  m4b: { words: 'an MP4 audio book', types: MP4 },
  mkv: { words: 'a Matroska video', types: MATROSKA },
  webm: { words: 'a WebM video', types: MATROSKA },
  avi: { words: 'an AVI video', types: /^video\/(vnd\.avi|x-msvideo|avi)$/ },
  mpg: { words: 'an MPEG video', types: /^video\/(mpeg|mp1s|mp2p|mp2t)$/ },
  ogv: { words: 'an Ogg video', types: OGG },
  ogg: { words: 'Ogg audio', types: OGG },
  opus: { words: 'Opus audio', types: OGG },
  mp3: { words: 'MP3 audio', types: /^audio\/mpeg$/ },
  flac: { words: 'FLAC audio', types: /^audio\/(x-)?flac$/ },
  wav: { words: 'WAV audio', types: /^audio\/(wav|x-wav|vnd\.wave)$/ },
  aiff: { words: 'AIFF audio', types: /^audio\/aiff$/ },
  pdf: { words: 'a PDF document', types: /^application\/pdf$/ },
  epub: { words: 'an EPUB book', types: /^application\/epub\+zip$/ },
  mobi: { words: 'a Mobipocket book', types: /^application\/x-mobipocket-ebook$/ },
  zip: { words: 'a ZIP archive', types: ZIP },
  jar: { words: 'a Java archive', types: ZIP },
  gz: { words: 'a gzip archive', types: GZIP },
  tgz: { words: 'a gzip archive', types: GZIP },
  '7z': { words: 'a 7-Zip archive', types: /^application\/x-7z-compressed$/ },
  rar: { words: 'a RAR archive', types: /^application\/(x-rar-compressed|vnd\.rar)$/ },
  jpg: { words: 'a JPEG picture', types: /^image\/jpeg$/ },
  jpeg: { words: 'a JPEG picture', types: /^image\/jpeg$/ },
  png: { words: 'a PNG picture', types: /^image\/(png|apng)$/ },
  gif: { words: 'a GIF picture', types: /^image\/gif$/ },
  webp: { words: 'a WebP picture', types: /^image\/webp$/ },
  exe: { words: 'a Windows program', types: /^application\/x-(msdownload|dosexec)$/ },
  txt: { words: 'a text', types: TEXT },
  srt: { words: 'a text', types: TEXT },
  vtt: { words: 'a text', types: TEXT },
  csv: { words: 'a text', types: TEXT },
  html: { words: 'a web page', types: TEXT },
}

/** Why a file with this ending cannot be what its bytes are, in words for the shop owner; undefined if it can. */
export function findTypeFault(ending: string, contentType: string): string | undefined {
  const promised = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined
  if (promised === undefined || promised.types.test(contentType)) return undefined
  return `The name ends in .${ending}, but the content is not ${promised.words} (${inWords(contentType)}).`
}

function inWords(contentType: string): string {
  return contentType === 'application/octet-stream' ? 'its type is not known' : `it is ${contentType}`
}

/** A browser shows these in the page without running anything in them. */
export function isSafeInline(contentType: string): boolean {
  return /^(video|audio)\/|^image\/(jpeg|png|apng|gif|webp|avif)$|^application\/pdf$|^text\/(plain|vtt)$/.test(
    contentType,
  )
}
