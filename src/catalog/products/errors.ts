import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Products')

export const productNotFound = defineProblem<string>('product_not_found', {
  code: 'not_found',
  message: (ref) => `There is no product ${ref}.`,
  when: 'The product does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of products for their ids.',
})

export const productIsMirrored = defineProblem<string>('product_is_mirrored', {
  code: 'forbidden',
  message: (title) => `"${title}" is mirrored from another shop and can't be changed here.`,
  when: 'The request changes a product from the marketplace, which only its owner can change.',
  remedy: 'Ask the owner of the product, or create a product of your own.',
})

export const productNoLongerOffered = defineProblem<string>('product_no_longer_offered', {
  code: 'conflict',
  message: (title) => `"${title}" is no longer offered by its owner.`,
  when: 'The request publishes a product from the marketplace that its owner has withdrawn.',
  remedy: 'Remove the product from the shop, or ask its owner.',
})

export const productUnknown = defineFault<'this shop' | 'the shop'>('product_unknown', {
  message: (shop) => `is not a product of ${shop}`,
  when: 'A field names a product that does not exist, was deleted, or belongs to another company.',
  remedy: 'Send the id of one of the products of the company.',
})

export const productIdTaken = defineFault('product_id_taken', {
  message: 'is taken',
  when: 'Another product of the company has this `product_id`.',
  remedy: 'Send another `product_id`, or none: the service makes one.',
})

export const productTypeUnknown = defineFault('product_type_unknown', {
  message: 'is not a type of product',
  when: 'There is no type of product with this number.',
  remedy: 'Send one of the types in the reference.',
})

export const notForProductType = defineFault<string>('field_not_for_product_type', {
  message: (sentence) => sentence,
  when: 'A field belongs to products of another type, such as `isbn` on software.',
  remedy: 'Leave the field out.',
})

export const onePriceOnly = defineFault('one_price_only', {
  message: 'can have one entry only for physical products',
  when: 'A physical product has more than one entry in `price_license_binding`.',
  remedy: 'Send one entry with the price of the product.',
})

export const licenseUnknown = defineFault('license_unknown', {
  message: 'is not a license of this shop',
  when: 'A product names a license that does not exist, or belongs to another company.',
  remedy: 'Send the id of a general license, or of one of the company.',
})

export const termNoLongerValid = defineFault('price_or_license_not_valid', {
  message: 'is no longer valid',
  when: 'A product names a price or a license that is no longer valid.',
  remedy: 'Choose another one, or make it valid again first.',
})

export const pictureUnknown = defineFault('picture_unknown', {
  message: 'is not a picture of this product',
  when: 'A body names a picture by an id that the product does not have.',
  remedy: 'Send the ids of the pictures as they were read, and new pictures with `src` and without an id.',
})

export const productNotPublished = defineFault('product_not_published', {
  message: 'is not published',
  when: 'An order has a product that the shop does not show.',
  remedy: 'Publish the product, or leave the line item out.',
})

export const productNotOffered = defineFault('product_not_offered', {
  message: 'is no longer offered',
  when: 'An order has a product from the marketplace that its owner has withdrawn.',
  remedy: 'Leave the line item out.',
})

export const productNotReleased = defineFault('product_not_released', {
  message: 'is not released yet',
  when: 'An order has a product that comes out later, and that cannot be ordered before.',
  remedy: 'Wait for `published_at`, or allow pre-orders with `pre_sales`.',
})

export const productWithoutContent = defineFault('product_not_available', {
  message: 'is not available yet',
  when: 'A shop cannot sell a product whose content file is not there yet.',
  remedy: 'Upload the content file, or allow pre-orders with `pre_sales`.',
})

export const productWithoutPrice = defineFault('product_without_price', {
  message: 'has no price',
  when: 'An order has a product that has no price.',
  remedy: 'Give the product a price in its `price_license_binding`.',
})

export const priceNotValid = defineFault('price_not_valid', {
  message: 'has a price that is no longer valid',
  when: 'An order has a product whose price is no longer valid.',
  remedy: 'Give the product another price, or make the price valid again.',
})

export const licenseNotBound = defineFault('license_not_bound', {
  message: 'is not a license that the product is sold under',
  when: 'A line item names a license that the product is not sold under.',
  remedy: 'Send one of the licenses in the `price_license_binding` of the product.',
})

export const licenseAmbiguous = defineFault('license_required', {
  message: 'is required, because the product has several',
  when: 'The product is sold under several licenses, and the line item names none.',
  remedy: 'Ask the customer which license to buy, and send its `license_id`.',
})

export const licenseNotValid = defineFault<string>('license_not_valid', {
  message: (sentence) => sentence,
  when: 'The license that a line item asks for is no longer valid, or was deleted.',
  remedy: 'Give the product another license.',
})

export const choiceNotSold = defineFault('choice_not_sold', {
  message: 'is not among those that the license is sold in',
  when: 'A license is sold in several bindings, and none has the `hd`, `audio_type` or `num_users` of the line item.',
  remedy: 'Read the product for its bindings, and send the values of one of them.',
})

export const choiceRequired = defineFault('choice_required', {
  message: 'is required, because the license is sold in several',
  when: 'A license is sold in bindings for several numbers of users, none of them for one, and the line item does not choose. Or a line item does not choose a product of a variation.',
  remedy: 'Ask the customer which one to buy, and send the value of its binding.',
})

export const usersExceeded = defineFault<number>('users_exceeded', {
  message: (users) => `is more than it is sold for: ${users === 1 ? 'one user' : `${users} users`}`,
  when: 'A line item asks for more users than its binding is sold for.',
  remedy: 'Send the `num_users` of a binding of the product, or order more pieces.',
})

export const outOfStock = defineFault<number>('out_of_stock', {
  message: (left) =>
    left === 0 ? 'is more than there is: it is sold out' : `is more than there is: ${left} left in stock`,
  when: 'There are fewer in stock than the line item asks for.',
  remedy: 'Order at most what is left, or tell the customer that the product is sold out.',
})

export const notIncludable = defineFault('product_not_includable', {
  message: 'cannot be included: goods, services, collections and variations are sold on their own',
  when: 'A collection or a variation includes a product of a type that it cannot include.',
  remedy: 'Include digital products only.',
})

export const mirrorNotIncludable = defineFault('mirrored_product_not_includable', {
  message: 'cannot be included: it belongs to another company, which gets its share only if it is sold on its own',
  when: 'A collection or a variation includes a mirrored product.',
  remedy: 'Include products of your own, and sell the mirrored one on its own.',
})

export const chosenNotIncluded = defineFault('chosen_product_not_included', {
  message: 'is not one of the products of the variation',
  when: 'A line item chooses a product that the variation does not offer.',
  remedy: 'Choose one of the `included_products` of the variation.',
})
