import { useState } from 'react'
import { Picture } from '../products/pictures.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields.tsx'
import { PICTURE_TYPES, PictureRefused, uploadPicture } from '../ui/upload-picture.ts'
import { t } from '../words/words.ts'

type PictureProps = { label: string; address: string; onAddress: (address: string) => void; error: string | undefined }

/** The picture on the page of the category. */
export function CategoryPicture({ label, address, onAddress, error }: PictureProps) {
  const [share, setShare] = useState<number>()
  const [refused, setRefused] = useState<string>()
  const send = async (file: File | undefined) => {
    if (file === undefined) return
    setRefused(undefined)
    setShare(0)
    try {
      onAddress((await uploadPicture(file, setShare)).url)
    } catch (problem) {
      setRefused((problem instanceof PictureRefused && problem.message) || t('problem.offline'))
    }
    setShare(undefined)
  }
  return (
    <Field label={label} error={refused ?? error}>
      {(id, describedBy) => (
        <div className="category-picture">
          <Picture src={address === '' ? undefined : address} isLarge />
          <label className="button">
            {t(address === '' ? 'categories.choose_picture' : 'categories.replace_picture')}
            <input
              id={id}
              className="hidden"
              type="file"
              accept={PICTURE_TYPES.join()}
              aria-describedby={describedBy}
              onChange={({ target }) => {
                void send(target.files?.[0])
                target.value = ''
              }}
            />
          </label>
          {address !== '' && (
            <Button look="plain" onClick={() => onAddress('')}>
              {t('categories.no_picture')}
            </Button>
          )}
          {share !== undefined && <progress className="progress" value={share} max={1} aria-label={label} />}
        </div>
      )}
    </Field>
  )
}
