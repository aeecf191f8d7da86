import { allowsCountry } from '#catalog/licenses/rules.ts'
import { isHdVideo } from '#catalog/products/rules.ts'
import { awaitsContent, kindOf as saleKindOf } from '#catalog/products/sale/rules.ts'
import { readTerms } from '#rights/entitlements/rules.ts'
import { clausesOnPage } from '#shop/site/rights-sentences.rules.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'
import { amountFor, kindOf, type Viewer } from './cards.present.ts'
import { opensOf } from './opens.present.ts'
import { showsNet, withTax } from './shown-prices/rules.ts'
import type { OfferLicense, OfferRow, ProductRow } from './state.ts'

/** The icon of the theme for each kind of clause. */
const ICONS: Record<string, string> = {
  'ends on': 'calendar',
  'ends after acquisition': 'calendar',
  'ends after first use': 'clock',
  'no playing': 'no',
  'no downloads': 'no',
  downloads: 'download',
  'downloads a year': 'download',
  'devices at once': 'devices',
  'devices a year': 'devices',
  exports: 'copy',
  'exports a year': 'copy',
  burns: 'copy',
  prints: 'print',
}

export type Offer = ReturnType<typeof offerOf>

/** The offers of a product, in the order of the shop owner. Offers without a price for this visitor are left out. */
export function offersOf(product: ProductRow, viewer: Viewer): Offer[] {
  return product.offers
    .filter(({ license_id, license }) => license_id === null || license?.valid === 1)
    .map((offer) => offerOf(product, offer, viewer))
    .filter(({ price }) => price !== undefined)
}

function offerOf(product: ProductRow, offer: OfferRow, viewer: Viewer) {
  const { license } = offer
  const terms = license === null ? [] : termsOf(product, offer, license, viewer)
  const listed = amountFor(offer.price, viewer)
  const gross = listed && withTax(listed, license, product, viewer)
  const former = amountFor(offer.compare, viewer)
  const isNet = showsNet(viewer)
  const price = isNet ? listed : gross
  const compare = isNet ? former : former && withTax(former, license, product, viewer)
  const isVideo = kindOf(product.product_type).kind === 'film'
  const isHd = offer.hd ?? isHdVideo(product.product_type)
  const isShipped = saleKindOf(product.product_type, license) === 'physical'
  return {
    license_id: offer.license_id,
    title: license === null ? undefined : nameOf(license, viewer),
    /** Rented things end by themselves. */
    is_rent: license !== null && endsByItself(license),
    opens: opensOf(product, offer, isHd || !isVideo, viewer.language),
    terms,
    price,
    /** What is paid in the end, where prices are shown without tax. */
    with_tax: isNet && gross?.cents !== price?.cents ? gross : undefined,
    /** A former price is worth mentioning only if it was higher. */
    compare:
      compare !== undefined && price !== undefined && compare.currency === price.currency && compare.cents > price.cents
        ? compare
        : undefined,
    hd: offer.hd,
    quality: isVideo ? (isHd ? 'HD' : 'SD') : undefined,
    audio_type: offer.audio_type,
    users: offer.num_users,
    is_net: isNet,
    /** Is it sent? */
    is_shipped: isShipped,
    is_available: license === null || allowsCountry(license, viewer.country),
    /** Is there something to deliver, or will there be? Not if the file of the content is missing. */
    is_deliverable: !awaitsContent(product) || isShipped,
  }
}

function termsOf(product: ProductRow, { num_users }: OfferRow, license: OfferLicense, viewer: Viewer) {
  const rights = { terms: readTerms(license), product_type: product.product_type, users: num_users ?? 1 }
  return clausesOnPage(rights, viewer).map(({ kind, text }) => ({
    icon: ICONS[kind] ?? 'check',
    // The sentences stand in a list, where nobody writes a full stop.
    text: text.replace(/\.$/, ''),
  }))
}

function nameOf(license: OfferLicense, viewer: Viewer): string {
  return textIn(inOrder(license.locales, viewer.languages), 'name')?.text ?? license.name
}

function endsByItself(license: OfferLicense): boolean {
  return license.expire_after_first_use > 0 || license.expire_after_acquisition > 0 || license.expiration_date !== null
}
