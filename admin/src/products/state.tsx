import { Chip } from '../ui/page.tsx'
import { shortTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Product } from './queries.ts'
import { PRODUCT_TYPES } from './types.gen.ts'

const MAIN_FILES: ReadonlySet<string> = new Set(['main_hd', 'main_sd'])

/** The files of a product of another company are that company's business, and not shown. */
function lacksContent({ product_type, mirrored, content_files }: Product): boolean {
  if (mirrored || PRODUCT_TYPES[product_type]?.needsLicense !== true) return false
  return !content_files.some(({ role, valid }) => MAIN_FILES.has(role) && valid === 1)
}

const lacksPrice = ({ price_license_binding: offers }: Product) => offers.every(({ price_id }) => price_id === null)

/** Can it be bought, and if not, why not? */
export function StateChip({ product }: { product: Product }) {
  const { published, published_at, pre_sales, valid } = product
  if (!published) return <Chip tone="draft">{t('products.states.hidden')}</Chip>
  if (!valid) return <Chip tone="bad">{t('products.states.not_offered')}</Chip>
  const isAhead = published_at !== null && timeOf(published_at) > new Date()
  const [noPrice, noFile] = [lacksPrice(product), lacksContent(product) && !pre_sales]
  if (noPrice) return <Chip tone="bad">{t(noFile ? 'products.states.nothing' : 'products.states.no_price')}</Chip>
  if (noFile) return <Chip tone="bad">{t('products.states.no_file')}</Chip>
  if (isAhead) {
    const time = shortTime(published_at)
    return <Chip tone="wait">{t(pre_sales ? 'products.states.pre_order' : 'products.states.scheduled', { time })}</Chip>
  }
  return <Chip tone="ok">{t('products.states.visible')}</Chip>
}
