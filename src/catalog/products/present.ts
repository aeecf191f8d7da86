import { pictureSrc } from '#catalog/pictures/present.ts'
import type { Picture } from '#catalog/pictures/rules.ts'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { seoSource } from './changes.rules.ts'
import { presentContentFile } from './content-files.present.ts'
import { generateSeo, type SeoSource, type StoredLocale } from './locales/rules.ts'
import type { Binding } from './parts/rules.ts'
import type { Product, ProductLocale } from './schema.ts'
import type { ProductState } from './state.ts'

/** The product as the API shows it; stored with every change and sent by every read. */
export function presentProduct(product: ProductState): Product {
  const source = seoSource(product.title, product.tagging)
  const previews = product.pictures
    .filter(({ position }) => position !== null)
    .sort((a, b) => Number(a.position) - Number(b.position))
  const pictures = previews.map((picture) => ({ id: picture.id, src: pictureSrc(ownerOf(product), picture) }))
  return {
    id: product.id,
    product_id: product.product_id,
    title: product.title,
    version: product.version,
    comment: product.comment,
    product_type: product.product_type,
    created_at: wireTime(product.created_at),
    updated_at: wireTime(product.updated_at),
    published_at: wireTimeOrNull(product.published_at),
    published: product.published,
    pre_sales: product.pre_sales,
    drm_protected: product.drm_protected,
    allow_download_trial: product.allow_download_trial,
    attribute_set_id: product.attribute_set_id,
    mirrored: product.mirrored,
    valid: product.valid,
    supplier: product.supplier,
    runtime: product.runtime,
    gtin: product.gtin,
    weight: product.weight,
    items_in_stock: product.items_in_stock,
    manage_stock: product.manage_stock,
    tax_class: product.tax_class,
    categories: product.categories.map(({ id, category_id, created_at }) => ({
      id,
      category_id,
      created_at: wireTime(created_at),
    })),
    chapters: product.chapters,
    groups: product.groups.map(({ group_id, start_at, end_at, created_at }) => ({
      group_id,
      start_at: wireTimeOrNull(start_at),
      end_at: wireTimeOrNull(end_at),
      created_at: wireTime(created_at),
    })),
    locales: product.locales.map((locale) => presentLocale(product, locale, source)),
    preview_pictures: pictures,
    images: pictures,
    price_license_binding: product.bindings.map(presentBinding),
    ...product.tagging,
    themes: product.themes.map(({ id, theme_id, created_at }) => ({ id, theme_id, created_at: wireTime(created_at) })),
    included_products: product.included,
    content_files: product.files.map((file) => presentContentFile(product.company_id, file)),
  }
}

/** The company that owns the pictures of a product. */
function ownerOf({ original, company_id }: ProductState): number {
  return original?.company_id ?? company_id
}

function presentLocale(product: ProductState, locale: StoredLocale, source: SeoSource): ProductLocale {
  const generated = generateSeo(locale, source)
  const picture: Picture | undefined = product.pictures.find(({ id }) => id === locale.picture_id)
  return {
    id: locale.id,
    language_id: locale.language,
    title: locale.title,
    description: locale.description,
    email_text: locale.email_text,
    product_url: locale.product_url,
    seo_title: locale.seo_title ?? generated.seo_title,
    seo_description: locale.seo_description ?? generated.seo_description,
    seo_keywords: locale.seo_keywords ?? generated.seo_keywords,
    version: locale.version,
    src: picture === undefined ? '' : pictureSrc(ownerOf(product), picture),
  }
}

/** `audio_type` and `num_users` are shown where they apply. */
function presentBinding({ audio_type, num_users, ...binding }: Binding): Product['price_license_binding'][number] {
  return { ...binding, ...(audio_type === null ? {} : { audio_type }), ...(num_users === null ? {} : { num_users }) }
}
