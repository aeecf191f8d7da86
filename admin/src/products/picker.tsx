import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage } from '../ui/pages.ts'
import { Picker } from '../ui/picker.tsx'
import { t } from '../words/words.ts'
import { Picture } from './pictures.tsx'
import type { Product } from './queries.ts'

const FOUND_MAX = 8

function useFound(q: string, isOpen: boolean) {
  return useQuery({
    queryKey: ['products', 'found', q],
    queryFn: ({ signal }) =>
      firstPage(api.products.list({ limit: FOUND_MAX, sort: '-id', ...(q === '' ? {} : { q }) }, { signal })),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
}

type ProductPickerProps = { label: string; choose: (product: Product) => void; error?: string | undefined }

/** Finds a product by words of its title. The newest are offered at once. */
export function ProductPicker({ label, choose, error }: ProductPickerProps) {
  return (
    <Picker
      label={label}
      placeholder={t('picker.product')}
      foundLabel={t('picker.products')}
      none={t('picker.no_product')}
      useFound={useFound}
      rowOf={({ id, title, preview_pictures }) => ({
        key: id,
        content: (
          <>
            <Picture src={preview_pictures[0]?.src} />
            <span className="cut">{title}</span>
          </>
        ),
      })}
      choose={choose}
      error={error}
    />
  )
}
