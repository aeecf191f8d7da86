import { Problem, problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Entitlements')

export const entitlementNotFound = defineProblem<string>('entitlement_not_found', {
  code: 'not_found',
  message: (id) => `There is no entitlement ${id}.`,
  when: 'The entitlement does not exist, or belongs to another company or another customer.',
  remedy: "Read the customer's content for the ids.",
})

export function isUnknownEntitlement(error: unknown): boolean {
  return error instanceof Problem && error.reason === entitlementNotFound('').reason
}

export const deviceNotFound = defineProblem<string>('device_not_found', {
  code: 'not_found',
  message: (id) => `The customer has no device ${id}.`,
  when: 'The device does not exist, was removed, or belongs to another customer.',
  remedy: "Read the list of the customer's devices for their ids.",
})

export const tooManyDevices = defineProblem<number>('too_many_devices', {
  code: 'validation_failed',
  message: (maximum) => `The customer has ${maximum} devices, which is the maximum.`,
  when: 'A player names a new device, and the customer has as many as a customer can have.',
  remedy: 'Remove devices that are no longer used. Use the same device id on one device every time.',
})

export const otherCustomer = defineProblem('token_of_another_customer', {
  code: 'not_found',
  message: 'There is no such customer for this token.',
  when: 'A token that acts for one customer asks for another one.',
  remedy: 'Use the token of the customer, or one of an app.',
})

export const restoreOwesOwner = defineProblem('restore_owes_owner', {
  code: 'conflict',
  message: 'It belongs to another company, whose share was taken back with the money. Sell it again instead.',
  when: 'A mirrored product was refunded or cancelled, and the company wants to give it back to the customer.',
  remedy: 'Create a new order for the customer.',
})

export const tooManyPieces = defineFault<number>('too_many_pieces', {
  message: (maximum) => `may have at most ${maximum} pieces of content in one order`,
  when: 'An order would grant more pieces of content than one order may.',
  remedy: 'Split the order, sell a license for several users, or have redemption codes generated.',
})

export const extensionOwesOwner = defineProblem('extension_owes_owner', {
  code: 'conflict',
  message: 'It belongs to another company, which gets its share of every sale. Sell it again instead.',
  when: 'A company wants to give a customer more of a mirrored product.',
  remedy: 'Create a new order for the customer.',
})

export const extensionEmpty = defineFault('extension_empty', {
  message: 'is required, or more downloads or devices are',
  when: 'An extension says neither until when, nor how many downloads or devices more.',
  remedy: 'Send `ends_at`, `downloads` or `devices`.',
})

export const notLimited = defineFault('not_limited', {
  message: 'is not limited, so there is nothing to extend',
  when: 'An extension gives more of what the license does not limit, or a new end to what has none yet.',
  remedy: 'Read the entitlement: what is null in `remaining`, and an `ends_at` of null, need no extension.',
})

export const endNotLater = defineFault('end_not_later', {
  message: 'has to be later than now, and than the end that it has',
  when: 'The new end of an entitlement would be in the past, or earlier than its end.',
  remedy: 'Send a later time. To end it early, revoke it.',
})

export const reasonMissing = defineFault('reason_missing', {
  message: 'is required',
  when: 'Something is given away without a reason.',
  remedy: 'Say why, in a few words.',
})
