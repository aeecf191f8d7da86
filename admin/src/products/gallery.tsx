import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { useSorting } from '../ui/forms/sortable.tsx'
import { PICTURE_TYPES } from '../ui/forms/upload-picture.ts'
import { Card } from '../ui/page.tsx'
import { percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { DraftPicture } from './draft.ts'
import { type PictureSending, usePictureUploads } from './editor/picture-uploads.ts'
import { isStored, Picture } from './pictures.tsx'

type GalleryProps = { pictures: DraftPicture[]; onPictures: (pictures: DraftPicture[]) => void; errorAt: ErrorAt }

/** The pictures of a product in their order; the first is its poster. */
export function Gallery({ pictures, onPictures, errorAt }: GalleryProps) {
  // Several pictures may arrive before the editor has drawn the first of them.
  const latest = useRef(pictures)
  latest.current = pictures
  const change = (next: DraftPicture[]) => {
    latest.current = next
    onPictures(next)
  }
  const add = (src: string) => change([...latest.current, { src }])
  const { sendings, send, forget } = usePictureUploads(add)
  const [isOver, setIsOver] = useState(false)
  const saidOf = (_: DraftPicture, place: number, count: number) => t('products.picture_moved', { place, count })
  const sorting = useSorting<DraftPicture, HTMLUListElement>({ items: pictures, onItems: change, saidOf })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (event.dataTransfer.files.length > 0) void send(event.dataTransfer.files)
  }
  const wrong = pictures.map((_, place) => errorAt(`preview_pictures[${place}].src`)).find(Boolean)
  return (
    <Card title={t('products.pictures')} aside={t('products.pictures_about')}>
      <div className="card-body stack">
        <ul ref={sorting.list} className="gallery">
          {pictures.map((picture, place) => (
            <Tile
              // biome-ignore lint/suspicious/noArrayIndexKey: a tile stays in its place, see useSorting
              key={place}
              picture={picture}
              place={place}
              count={pictures.length}
              isDragged={sorting.dragged === place}
              handle={sorting.handleOf(place)}
              remove={() => change(pictures.toSpliced(place, 1))}
            />
          ))}
          <li className="gallery-drop">
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard */}
            <div
              className={isOver ? 'drop over' : 'drop'}
              onDragOver={(event) => {
                event.preventDefault()
                setIsOver(true)
              }}
              onDragLeave={() => setIsOver(false)}
              onDrop={drop}
            >
              <span>{t('products.drop_pictures')}</span>
              <label className="button">
                {t('products.choose_pictures')}
                <input
                  className="hidden"
                  type="file"
                  multiple
                  accept={PICTURE_TYPES.join()}
                  onChange={({ target }) => {
                    void send([...(target.files ?? [])])
                    target.value = ''
                  }}
                />
              </label>
              <span className="small">{t('products.picture_sizes')}</span>
            </div>
          </li>
        </ul>
        <p className="hidden" role="status">
          {sorting.said}
        </p>
        {sendings.map((sending) => (
          <SendingLine key={sending.key} sending={sending} close={() => forget(sending.key)} />
        ))}
        {wrong !== undefined && <p className="hint wrong">{wrong}</p>}
        <ByAddress add={add} />
      </div>
    </Card>
  )
}

type TileProps = {
  picture: DraftPicture
  place: number
  count: number
  isDragged: boolean
  handle: ReturnType<ReturnType<typeof useSorting>['handleOf']>
  remove: () => void
}

/** A picture that is put elsewhere by dragging it, or with the arrow keys. */
function Tile({ picture: { src }, place, count, isDragged, handle, remove }: TileProps) {
  return (
    <li className={isDragged ? 'tile dragged' : 'tile'}>
      <button
        type="button"
        className="tile-picture"
        aria-label={t('products.move_picture', { place: place + 1, count })}
        {...handle}
      >
        <Picture src={src} isLarge />
      </button>
      {place === 0 && <span className="tile-mark">{t('products.cover')}</span>}
      {!isStored(src) && <span className="muted small cut">{t('products.awaited_picture', { address: src })}</span>}
      <Button
        look="plain"
        icon="close"
        aria-label={t('products.remove_picture', { place: place + 1 })}
        onClick={remove}
      />
    </li>
  )
}

function SendingLine({ sending: { name, share, problem }, close }: { sending: PictureSending; close: () => void }) {
  if (problem !== undefined)
    return (
      <div className="notice bad" role="alert">
        <span className="grow">{t('products.picture_refused', { name, why: problem })}</span>
        <Button onClick={close}>{t('common.close')}</Button>
      </div>
    )
  return (
    <div>
      <span className="small">{t('products.picture_sending', { name, share: percent(share) })}</span>
      <progress className="progress" value={share} max={1} aria-label={name} />
    </div>
  )
}

/** A picture from elsewhere, of which the service gets a copy. */
function ByAddress({ add }: { add: (src: string) => void }) {
  const [address, setAddress] = useState('')
  return (
    <details>
      <summary className="muted">{t('products.by_address')}</summary>
      <div className="stack with-gap">
        <TextField
          label={t('products.picture_address')}
          hint={t('products.picture_hint')}
          value={address}
          onValue={setAddress}
          maxLength={2000}
        />
        <div className="actions">
          <Button
            disabled={!/^https?:\/\/\S+$/.test(address.trim())}
            onClick={() => {
              add(address.trim())
              setAddress('')
            }}
          >
            {t('products.add_picture')}
          </Button>
        </div>
      </div>
    </details>
  )
}
