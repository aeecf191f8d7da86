import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Offline apps')

export const deviceLicenseNotFound = defineProblem('device_license_not_found', {
  code: 'not_found',
  message: 'There is no such license of a device.',
  when: 'The license does not exist, or belongs to another entitlement, customer or company.',
  remedy: 'Read the list of the licenses of the entitlement.',
})

export const deviceTrackNotFound = defineProblem('device_track_not_found', {
  code: 'not_found',
  message: 'The license has no such track.',
  when: 'The address names a track that the license does not have.',
  remedy: 'Use the addresses in the answer that gave the license.',
})

export const notForDevices = defineProblem('not_for_devices', {
  code: 'conflict',
  message: 'There is no protected film or recording here. Download the file instead.',
  when: 'The file is no film or recording of a product with `drm_protected`, or it could not be packed. Nothing is counted.',
  remedy: 'Get the file with `POST /api/entitlements/{id}/download.json`, or choose another file.',
})

export const deviceKeyDiffers = defineProblem('device_key_differs', {
  code: 'conflict',
  message: 'This device has a license for another key.',
  when: 'The customer has a license on a device with this id that has not ended, and its key is another one.',
  remedy:
    'Return that license with the app that has the key, or wait for its end. A device that has lost its key is a new device: give it another id.',
})

export const deviceLicenseClosed = defineProblem<'returned' | 'replaced'>('device_license_closed', {
  code: 'conflict',
  message: (how) => `The license was ${how}.`,
  when: 'A license that was returned, or replaced by one for another key of the device, is to be refreshed or downloaded with.',
  remedy: 'Get a new license for the entitlement.',
})

export const deviceLicenseEnded = defineProblem('device_license_ended', {
  code: 'forbidden',
  message: 'The license of this device has ended. Refresh it first.',
  when: 'A track is downloaded after the end of the license.',
  remedy: 'Refresh the license.',
})

export const publicKeyWrong = defineFault('public_key_wrong', {
  message: 'must be a public key of X25519 or P-256 as a JSON Web Key',
  when: 'The public key of a device is incomplete, of another kind, or no point of its curve.',
  remedy: 'Send the public half of a key pair that was made on the device. `createDeviceKeys` of the client makes one.',
})
