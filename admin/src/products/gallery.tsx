import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/editing.tsx'
import { TextField } from '../ui/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { DraftPicture } from './draft.ts'
import { isStored, Picture } from './pictures.tsx'

type GalleryProps = { pictures: DraftPicture[]; onPictures: (pictures: DraftPicture[]) => void; errorAt: ErrorAt }

function saidOf({ src }: DraftPicture, place: number): string {
  if (!isStored(src)) return t('products.awaited_picture', { address: src })
  return place === 0 ? t('products.cover') : t('products.picture', { place: place + 1 })
}

/** The pictures of a product in their order; the first is its cover. The service gets copies of those that are added. */
export function Gallery({ pictures, onPictures, errorAt }: GalleryProps) {
  const [address, setAddress] = useState('')
  const add = () => {
    onPictures([...pictures, { src: address.trim() }])
    setAddress('')
  }
  const swap = (one: number, other: number) => {
    const [first, second] = [pictures[one], pictures[other]]
    if (first !== undefined && second !== undefined) onPictures(pictures.with(one, second).with(other, first))
  }
  const wrong = pictures.map((_, place) => errorAt(`preview_pictures[${place}].src`)).find(Boolean)
  return (
    <Card title={t('products.pictures')}>
      {pictures.length > 0 && (
        <ul className="rows">
          {pictures.map((picture, place) => (
            <li key={picture.id ?? picture.src}>
              <Picture src={picture.src} isLarge />
              <span className="grow muted cut">{saidOf(picture, place)}</span>
              <Button
                look="plain"
                icon="up"
                disabled={place === 0}
                aria-label={t('products.move_up', { place: place + 1 })}
                onClick={() => swap(place, place - 1)}
              />
              <Button
                look="plain"
                icon="close"
                aria-label={t('products.remove_picture', { place: place + 1 })}
                onClick={() => onPictures(pictures.toSpliced(place, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="card-body stack">
        <TextField
          label={t('products.picture_address')}
          hint={t('products.picture_hint')}
          value={address}
          onValue={setAddress}
          error={wrong}
          maxLength={2000}
        />
        <div className="actions">
          <Button disabled={!/^https?:\/\/\S+$/.test(address.trim())} onClick={add}>
            {t('products.add_picture')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
