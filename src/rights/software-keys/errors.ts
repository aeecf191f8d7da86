import { Problem, problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Software keys')

export const noKeyForThis = defineProblem<string>('entitlement_without_key', {
  code: 'not_found',
  message: (title) => `"${title}" is not software, so it has no key.`,
  when: 'The entitlement is not for a product of type 4, 18 or 27.',
  remedy: 'Read the `product_type` of the entitlement first.',
})

export const productHasNoKeys = defineProblem<string>('product_without_keys', {
  code: 'conflict',
  message: (title) => `"${title}" is not software, so it has no keys.`,
  when: 'Keys are imported or counted for a product that is not of type 4, 18 or 27.',
  remedy: 'Import keys for software.',
})

export const keyEmpty = defineFault('software_key_empty', {
  message: 'has no letters or digits',
  when: 'A key that is imported, or that a program sends, is empty or consists of blanks and hyphens.',
  remedy: 'Send the key as it is printed.',
})

export const keyNotFound = defineProblem<string>('software_key_not_found', {
  code: 'not_found',
  message: (id) => `The product has no key ${id}.`,
  when: 'The key does not exist, was deleted, or belongs to another product.',
  remedy: 'Read the list of keys of the product for their ids.',
})

export const keyIsGiven = defineProblem('software_key_given', {
  code: 'conflict',
  message: 'A customer has this key: revoke what the customer owns, or replace the key.',
  when: 'A key is deleted that a customer has, or had.',
  remedy: 'Revoke the entitlement, or give the customer another key.',
})

export const keyUnknown = defineProblem('software_key_unknown', {
  code: 'not_found',
  message: 'There is no such key: compare each character.',
  when: 'No customer has this key.',
  remedy: 'Ask the customer to type the key again. Too many unknown keys are answered with 429.',
})

export function isUnknownKey(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'software_key_unknown'
}

export const keyReplaced = defineProblem('software_key_replaced', {
  code: 'not_found',
  message: 'This key was replaced by another one.',
  when: 'The key was valid until the company gave the customer a new one.',
  remedy: 'Ask the customer for the new key.',
})

export const keyNotReplaceable = defineProblem('software_key_not_replaceable', {
  code: 'conflict',
  message: 'The customer cannot use this software now, so its key cannot be replaced.',
  when: 'A key is replaced while the entitlement is revoked, has expired, or has not started.',
  remedy: 'Read the `state` and the `reason` of the entitlement.',
})

export const fingerprintMissing = defineFault('fingerprint_missing', {
  message: 'is required, unless a request is sent',
  when: 'A program asks without `fingerprint`.',
  remedy: 'Send an id of the device that stays the same.',
})

export const requestInvalid = defineFault('activation_request_invalid', {
  message: 'is not a request of a program: copy all of it',
  when: '`request` is not base64url of JSON with the texts `fingerprint`, `nonce` and, if given, `name`.',
  remedy: 'Ask the customer to copy the whole text from the program.',
})

export const tooManyKeys = defineProblem<number>('too_many_software_keys', {
  code: 'rate_limited',
  message: (seconds) => `There were too many attempts: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'Too many unknown keys came from this network address, or activations of this key were refused too often.',
  remedy: 'Wait for `Retry-After` seconds.',
})
