import { isAddressOf, isFetchable, type Picture } from '#catalog/pictures/rules.ts'
import { urlInvalid } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { pictureUnknown } from '../errors.ts'
import type { PictureWish, StoredLocale } from '../locales/rules.ts'
import type { PictureInput } from '../schema.ts'

type Context = { companyId: number; takeId: () => number; report: FieldReport }

function newPicture(id: number, source_url: string, position: number | null): Picture {
  return { id, source_url, state: 'pending', file: null, position }
}

/** The preview pictures after an update. Pictures named by id or URL stay, in the order of the body. */
export function changePreviews(
  kept: readonly Picture[],
  sent: readonly PictureInput[],
  field: string,
  { companyId, takeId, report }: Context,
): Picture[] {
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
      after.push(same ? { ...before, position: index } : newPicture(before.id, src, index))
    } else if (src !== undefined && src !== '') {
      after.push(newPicture(takeId(), src, index))
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
  { takeId, report }: Context,
): { locales: StoredLocale[]; pictures: Picture[] } {
  const added: Picture[] = []
  const next = locales.map((locale) => {
    const { change, index } = wishes.findLast(({ localeId }) => localeId === locale.id) ?? { change: 'keep', index: 0 }
    if (change === 'keep') return locale
    if (change === 'remove') return { ...locale, picture_id: null }
    if (!isFetchable(change.fetch)) report.add(`locales[${index}].src`, urlInvalid())
    const picture = newPicture(takeId(), change.fetch, null)
    added.push(picture)
    return { ...locale, picture_id: picture.id }
  })
  const used = new Set(next.map(({ picture_id }) => picture_id))
  return { locales: next, pictures: [...kept, ...added].filter(({ id }) => used.has(id)) }
}
