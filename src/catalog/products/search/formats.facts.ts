/** The names of formats that buyers know. Films are played in the browser, so nobody has to know theirs. */
export const FORMATS: Readonly<Record<string, string>> = {
  'application/epub+zip': 'EPUB',
  'application/pdf': 'PDF',
  'audio/mpeg': 'MP3',
  'audio/flac': 'FLAC',
}
