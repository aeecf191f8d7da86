import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Invoices')

export const invoiceNotFound = defineProblem<string>('invoice_not_found', {
  code: 'not_found',
  message: (ref) => `There is no invoice of order ${ref}.`,
  when: 'The order has no invoice: it is a test, costs nothing, is not paid yet, or its invoice is still being written.',
  remedy: 'Ask again in a few seconds, or issue the invoice with `POST /api/orders/{id}/invoice.json`.',
})

export const invoiceNotIssuable = defineProblem<number>('invoice_not_issuable', {
  code: 'conflict',
  message: (id) => `Order #${id} gets no invoice: it is a test, cancelled, or costs nothing.`,
  when: 'An invoice is asked for an order that is a test, was cancelled, or costs nothing.',
  remedy: 'Nothing has to be done.',
})

export const invoiceLinkInvalid = defineProblem('invoice_link_invalid', {
  code: 'not_found',
  message: 'The link is not valid.',
  when: 'The address of an invoice is not the one from the mail.',
  remedy: 'Open the link in the mail again.',
})

export const sellerVatIdInvalid = defineFault('seller_vat_id_invalid', {
  message: 'is not a VAT id of the European Union',
  when: 'The VAT id in the invoice settings has the wrong form, or its check digits are wrong.',
  remedy: 'Check the id. A company outside of the European Union writes its tax number in `note`.',
})
