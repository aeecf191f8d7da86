import { Picture } from '../products/pictures.tsx'
import { PictureField } from '../ui/forms/picture-field.tsx'
import { t } from '../words/words.ts'

type PictureProps = { label: string; address: string; onAddress: (address: string) => void; error: string | undefined }

/** The picture on the page of the category. */
export function CategoryPicture({ address, ...field }: PictureProps) {
  return (
    <PictureField
      {...field}
      address={address}
      shown={<Picture src={address === '' ? undefined : address} isLarge />}
      words={{
        choose: t('categories.choose_picture'),
        replace: t('categories.replace_picture'),
        remove: t('categories.no_picture'),
      }}
    />
  )
}
