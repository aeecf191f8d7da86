import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Marketplace')

export const entryNotFound = defineProblem<string>('market_entry_not_found', {
  code: 'not_found',
  message: (ref) => `There is no entry ${ref} in the marketplace.`,
  when: 'The entry does not exist, its company has left the marketplace, or it is for other companies only.',
  remedy: 'Read the list of entries in the marketplace.',
})

export const marketProductNotFound = defineProblem<string>('market_product_not_found', {
  code: 'not_found',
  message: (ref) => `No other company offers a product ${ref} in the marketplace.`,
  when: 'The product does not exist, is your own, or its owner does not offer it to your company.',
  remedy: 'Read the list of the products in the marketplace.',
})

export const offerNotFound = defineProblem<string>('market_offer_not_found', {
  code: 'not_found',
  message: (ref) => `Your company has no offer ${ref} in the marketplace.`,
  when: 'The offer does not exist, was withdrawn, or belongs to another company.',
  remedy: "Read the list of your company's offers, which has one at most.",
})

export const ownEntry = defineProblem('market_entry_is_own', {
  code: 'validation_failed',
  message: 'This is the entry of your own company: its products are in your shop already.',
  when: 'A company wants to take products from its own entry.',
  remedy: 'Choose the entry of another company.',
})

export const nothingOffered = defineProblem('market_entry_missing', {
  code: 'not_found',
  message: 'The company has no entry in the marketplace.',
  when: 'An offer is changed or withdrawn that does not exist.',
  remedy: 'Offer the products of the company first.',
})

export const alreadyOffered = defineProblem('market_entry_exists', {
  code: 'conflict',
  message: 'The company has an entry in the marketplace already.',
  when: 'A company offers its products a second time.',
  remedy: 'Change the entry that is there.',
})

export const shopMissing = defineFault('market_shop_missing', {
  message: 'is required, because the company has no shop',
  when: 'A company without a shop offers its products.',
  remedy: 'Create a theme setting first.',
})

export const shopUnknown = defineFault('market_shop_unknown', {
  message: 'is not a shop of this company',
  when: 'The shop of an entry does not exist, or belongs to another company.',
  remedy: 'Send the id of one of the theme settings of the company.',
})

export const categoriesEmpty = defineFault('market_categories_empty', {
  message: 'must name a category, or be null for all',
  when: '`category_ids` is an empty list, so that the entry would offer nothing.',
  remedy: 'Name at least one category, or send null to offer all products.',
})

export const companiesEmpty = defineFault('market_companies_empty', {
  message: 'must name a company, or be null for all',
  when: '`company_ids` is an empty list, so that nobody would see the entry.',
  remedy: 'Name at least one company, send null to offer to all, or withdraw the offer.',
})

export const companyUnknown = defineFault('market_company_unknown', {
  message: 'is not another company',
  when: 'An offer is made for a company that does not exist, or for the company itself.',
  remedy: 'Ask the other company for its id, which it sees in its settings.',
})
