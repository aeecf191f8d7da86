import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Theme settings')

export const sectionCategoryMissing = defineFault('home_section_without_category', {
  message: 'is missing: a section of the kind `category` shows one',
  when: 'A section of the home page shows a category, and does not name it.',
  remedy: 'Send the id of a category as `category_id`.',
})

export const sectionProductsMissing = defineFault('home_section_without_products', {
  message: 'is empty: a section of the kind `products` shows some',
  when: 'A section of the home page shows products that were chosen by hand, and names none.',
  remedy: 'Send the ids of products as `product_ids`.',
})

export const menuLinkAmbiguous = defineFault('menu_link_ambiguous', {
  message: 'must have one of category_id, page and url',
  when: 'A link of the menu leads nowhere, or to more than one place.',
  remedy: 'Send one of `category_id`, `page` and `url`, and leave out the others.',
})

export const menuTitleMissing = defineFault('menu_title_missing', {
  message: 'is empty: a link to an address needs a title',
  when: 'A link of the menu leads to an address, and has no title in any language.',
  remedy: 'Send the title in at least one language in `locales`.',
})

export const homeCategoryUnknown = defineFault('home_category_unknown', {
  message: 'is not a category of this shop',
  when: 'A section of the home page or a link of the menu names a category that does not exist, or that belongs to another company.',
  remedy: 'Choose one of the categories of the company.',
})

export const homeProductUnknown = defineFault('home_product_unknown', {
  message: 'is not a product of this shop',
  when: 'A section of the home page names a product that does not exist, or that belongs to another company.',
  remedy: 'Choose products of the company.',
})
