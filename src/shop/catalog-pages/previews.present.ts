import { filePath } from '#catalog/products/content-files.present.ts'
import { primaryLanguage } from '#platform/text/accepted-languages.ts'
import { mediaOf, stem } from '#rights/content-files/media.rules.ts'
import type { Reader } from './cards.present.ts'
import type { ShownFileRow } from './state.ts'

const PREVIEWS_MAX = 60

/** Drawings (SVG) are never sent as pictures. */
const PICTURE = /^image\/(jpeg|png|gif|webp|avif)$/

const linkTo = (file: ShownFileRow) => ({ name: stem(file.name), url: filePath(file) })

/** A file in the visitor's language, else one of no language, else the first. */
function inLanguage(files: readonly ShownFileRow[], languages: readonly string[]): ShownFileRow | undefined {
  for (const asked of languages) {
    const found = files.find(({ language }) => language !== '' && primaryLanguage(language) === primaryLanguage(asked))
    if (found !== undefined) return found
  }
  return files.find(({ language }) => language === '') ?? files[0]
}

/** The trailer of a product, and the previews that its owner has uploaded. */
export function previewsOf(files: readonly ShownFileRow[] | null | undefined, { languages }: Reader) {
  const all = files ?? []
  const trailer = inLanguage(
    all.filter(({ role, content_type }) => role === 'trailer' && mediaOf(content_type) === 'video'),
    languages,
  )
  const previews = all.filter(({ role }) => role === 'preview').slice(0, PREVIEWS_MAX)
  const playedAs = (kind: 'video' | 'audio') =>
    previews.filter(({ content_type }) => mediaOf(content_type) === kind).map(linkTo)
  return {
    trailer: trailer && { ...linkTo(trailer), duration: trailer.duration ?? undefined },
    previews: {
      pictures: previews.filter(({ content_type }) => PICTURE.test(content_type)).map(linkTo),
      videos: playedAs('video'),
      sounds: playedAs('audio'),
      /** Pages of a book, which the browser opens. */
      pages: previews.filter(({ content_type }) => content_type === 'application/pdf').map(linkTo),
    },
  }
}

/** The trial of a program that everybody may download, in the visitor's language. */
export function trialOf(files: readonly ShownFileRow[] | null | undefined, { languages }: Reader) {
  const trial = inLanguage(
    (files ?? []).filter(({ role }) => role === 'trial'),
    languages,
  )
  return trial && { name: trial.name, url: filePath(trial) }
}
