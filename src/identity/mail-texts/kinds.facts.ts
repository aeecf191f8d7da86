/**
 * The kinds of mails that customers get from a shop, and where their messages are. Owners write their own texts for these. Mails to
 * the owners themselves, and those about an account that several shops share, are always in the words of the service.
 */
export const MAIL_KINDS = {
  order_confirmation: 'mails.order.confirmation',
  order_bill: 'mails.bill',
  order_invoice: 'mails.invoice',
  order_shipment: 'mails.order.shipment',
  order_cancellation: 'mails.order.cancellation',
  order_refund: 'mails.order.refund',
  subscription: 'mails.subscription',
  withdrawal: 'mails.withdrawal',
  gift: 'mails.gift',
  cart_reminder: 'mails.reminder',
  newsletter: 'mails.newsletter',
  sign_in: 'mails.account.sign_in',
  sign_up: 'mails.account.sign_up',
  known_account: 'mails.account.known',
  password_reset: 'mails.account.reset',
  new_email: 'mails.account.new_email',
  account_deletion: 'mails.account.deletion',
  password_changed: 'mails.account.changed.password',
  email_changed: 'mails.account.changed.email',
  app_access: 'mails.app_access',
  /** What several kinds have in common. */
  common: 'mails.common',
} as const

export type MailKind = keyof typeof MAIL_KINDS

/** The part of a kind that goes to the owner. */
export const TO_OWNERS = /^mails\.withdrawal\.notice\./
