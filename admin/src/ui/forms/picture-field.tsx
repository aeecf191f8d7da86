import { type ReactNode, useState } from 'react'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import { Field } from './fields.tsx'
import { PICTURE_TYPES, PictureRefused, uploadPicture } from './upload-picture.ts'

type PictureFieldProps = {
  label: string
  hint?: string
  address: string
  onAddress: (address: string) => void
  error: string | undefined
  shown: ReactNode
  words: { choose: string; replace: string; remove: string }
}

/** One picture that is chosen as a file; the service keeps it, and the form its address. */
export function PictureField({ label, hint, address, onAddress, error, shown, words }: PictureFieldProps) {
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
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={refused ?? error}>
      {(id, describedBy) => (
        <div className="picture-field">
          {shown}
          <label className="button">
            {address === '' ? words.choose : words.replace}
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
              {words.remove}
            </Button>
          )}
          {share !== undefined && <progress className="progress" value={share} max={1} aria-label={label} />}
        </div>
      )}
    </Field>
  )
}
