import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Reading apps')

export const readingLicenseNotFound = defineProblem('reading_license_not_found', {
  code: 'not_found',
  message: 'There is no such license for reading apps.',
  when: 'The license does not exist, or belongs to another company or another customer.',
  remedy: 'Get one for the entitlement.',
})

export const notForReadingApps = defineProblem('not_for_reading_apps', {
  code: 'conflict',
  message: 'There is nothing to open in a reading app: the product has no DRM, or its license has none.',
  when: 'The file is no book, PDF or recording of a product with `drm_protected`, or the license of the entitlement has `drm` 0.',
  remedy: 'Download the file instead, or choose another file.',
})

export const publicationFailed = defineProblem<{ name: string; reason: string }>('publication_failed', {
  code: 'conflict',
  message: ({ name, reason }) => `"${name}" cannot be opened in reading apps: ${reason}`,
  when: 'The file could not be encrypted. Nothing is counted.',
  remedy: 'Upload a file that is not damaged or protected already.',
})

export const readingClosed = defineProblem<string>('reading_license_closed', {
  code: 'forbidden',
  message: (reason) => reason,
  when: 'The license was returned, or the entitlement behind it was revoked or has ended.',
  remedy: 'Read the status of the license.',
})

export const registrationRefused = defineProblem<string>('reading_device_refused', {
  code: 'forbidden',
  message: (reason) => reason,
  when: 'The license allows no further device, or is no longer open.',
  remedy: 'Remove a device of the customer, or return the book on another one.',
})

export const deviceMissing = defineProblem('reading_device_missing', {
  code: 'malformed',
  message: 'The reading app must send its `id` and `name`, of at most 255 characters each.',
  when: 'A reading app registers, renews or returns without saying which device it is on.',
  remedy: 'Send `id` and `name` in the query.',
})

export const notReturnable = defineProblem('reading_license_not_returnable', {
  code: 'forbidden',
  message: 'Only what ends can be returned.',
  when: 'A license without an end is returned.',
  remedy: 'Remove the device in the account of the customer instead.',
})

export const alreadyReturned = defineProblem('reading_license_returned', {
  code: 'forbidden',
  message: 'It was returned already.',
  when: 'A license is returned or renewed after it was returned.',
  remedy: 'Get a new license for the entitlement.',
})

export const returnTooLate = defineProblem('reading_license_return_too_late', {
  code: 'forbidden',
  message: 'It has ended, so there is nothing to return.',
  when: 'A license is returned after its end.',
  remedy: 'None is needed.',
})

export const notRenewable = defineProblem('reading_license_not_renewable', {
  code: 'forbidden',
  message: 'It cannot be renewed: the purchase ends at the same time.',
  when: 'A license is renewed that has no end, or whose entitlement does not last longer.',
  remedy: 'Extend the entitlement, or sell it again.',
})

export const renewalDateWrong = defineProblem('reading_license_end_wrong', {
  code: 'forbidden',
  message: 'It can be renewed until the end of the purchase at most, and not until an earlier time than now.',
  when: 'A license is renewed until a time that is no time, lies after the end of the entitlement, or before the end that it has.',
  remedy: 'Renew until `potential_rights.end` of the status at most.',
})

export const tooManyReadingEvents = defineProblem('reading_license_too_many_events', {
  code: 'rate_limited',
  message: 'This license was registered and renewed too often.',
  when: 'Reading apps registered and renewed one license a thousand times.',
  remedy: 'Return it, and get a new one.',
})
