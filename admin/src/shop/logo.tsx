import { Picture } from '../products/pictures.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { PictureField } from '../ui/forms/picture-field.tsx'
import { t } from '../words/words.ts'

type LogoProps = { address: string; onAddress: (address: string) => void; error: string | undefined }

/** The logo of the shop: a file, or an address of which the service gets a copy. */
export function Logo({ address, onAddress, error }: LogoProps) {
  return (
    <>
      <PictureField
        label={t('shop.logo')}
        hint={t('shop.logo_hint')}
        address={address}
        onAddress={onAddress}
        error={undefined}
        shown={<Picture src={address === '' ? undefined : address} />}
        words={{ choose: t('shop.choose_logo'), replace: t('shop.replace_logo'), remove: t('shop.no_logo') }}
      />
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
