import { useState } from 'react'
import { Picture } from '../products/pictures.tsx'
import { Button } from '../ui/button.tsx'
import { Field, TextField } from '../ui/fields.tsx'
import { PICTURE_TYPES, PictureRefused, uploadPicture } from '../ui/upload-picture.ts'
import { t } from '../words/words.ts'

type LogoProps = { address: string; onAddress: (address: string) => void; error: string | undefined }

/** The logo of the shop: a file, or an address of which the service gets a copy. */
export function Logo({ address, onAddress, error }: LogoProps) {
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
    <>
      <Field label={t('shop.logo')} hint={t('shop.logo_hint')} error={refused}>
        {(id, describedBy) => (
          <div className="logo">
            <Picture src={address === '' ? undefined : address} />
            <label className="button">
              {t(address === '' ? 'shop.choose_logo' : 'shop.replace_logo')}
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
                {t('shop.no_logo')}
              </Button>
            )}
            {share !== undefined && <progress className="progress" value={share} max={1} aria-label={t('shop.logo')} />}
          </div>
        )}
      </Field>
      <details open={error !== undefined}>
        <summary className="muted">{t('products.by_address')}</summary>
        <div className="with-gap">
          <TextField
            label={t('shop.icon')}
            hint={t('shop.icon_hint')}
            value={address}
            onValue={onAddress}
            error={error}
            maxLength={2000}
          />
        </div>
      </details>
    </>
  )
}
