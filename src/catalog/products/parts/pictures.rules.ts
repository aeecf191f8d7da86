import { isAddressOf, isFetchable, type Picture, pictureFrom, type TakeUpload } from '#catalog/pictures/rules.ts'
import { urlInvalid } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { pictureUnknown } from '../errors.ts'
import type { PictureWish, StoredLocale } from '../locales/rules.ts'
import type { PictureInput } from '../schema.ts'

type Context = { companyId: number; takeId: () => number; takeUpload?: TakeUpload; report: FieldReport }

/** The preview pictures after an update. Pictures named by id or URL stay, in the order of the body. */
export function changePreviews(
  kept: readonly Picture[],
  sent: readonly PictureInput[],
  field: string,
  context: Context,
): Picture[] {
  const { companyId, report } = context
  const free = new Set(kept)
  const after: Picture[] = []
  for (const [index, { id, src }] of sent.entries()) {
    const before = [...free].find(
      (picture) => picture.id === id || (!id && src !== undefined && isAddressOf(companyId, picture, src)),
    )
    if (src !== undefined && src !== '' && !isFetchable(src)) report.add(`${field}[${index}].src`, urlInvalid())
    if (before !== undefined) {
      free.delete(before)
      const same = src === undefined || src === '' || isAddressOf(companyId, before, src)
      after.push(
        same ? { ...before, position: index } : pictureFrom(src, index, { ...context, takeId: () => before.id }),
      )
    } else if (src !== undefined && src !== '') {
      after.push(pictureFrom(src, index, context))
    } else if (id) {
      report.add(`${field}[${index}].id`, pictureUnknown())
    }
  }
  return after
}

/** Gives each locale its requested picture; pictures that no locale uses any more are removed. */
export function changeLocalePictures(
  kept: readonly Picture[],
  locales: readonly StoredLocale[],
  wishes: readonly PictureWish[],
  context: Context,
): { locales: StoredLocale[]; pictures: Picture[] } {
  const added: Picture[] = []
  const next = locales.map((locale) => {
    const { change, index } = wishes.findLast(({ localeId }) => localeId === locale.id) ?? { change: 'keep', index: 0 }
    if (change === 'keep') return locale
    if (change === 'remove') return { ...locale, picture_id: null }
    if (!isFetchable(change.fetch)) context.report.add(`locales[${index}].src`, urlInvalid())
    const picture = pictureFrom(change.fetch, null, context)
    added.push(picture)
    return { ...locale, picture_id: picture.id }
  })
  const used = new Set(next.map(({ picture_id }) => picture_id))
  return { locales: next, pictures: [...kept, ...added].filter(({ id }) => used.has(id)) }
}
