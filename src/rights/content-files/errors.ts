import { Problem, problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Content files')

export const fileNotFound = defineProblem<string>('file_not_found', {
  code: 'not_found',
  message: (id) => `There is no content file ${id}.`,
  when: 'The content file does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of content files for their ids.',
})

export const fileNotReady = defineProblem<string>('file_not_ready', {
  code: 'not_found',
  message: (name) => `"${name}" was not uploaded completely.`,
  when: 'The request asks for the bytes of a file that is being uploaded or was refused.',
  remedy: 'Wait until its `status` is `ready`, or upload it again.',
})

export const uploadNotFound = defineProblem('upload_not_found', {
  code: 'not_found',
  message: 'There is no such upload.',
  when: 'The upload was finished, was ended, took too long, or belongs to another company.',
  remedy: 'Create the content file again, and upload to the address in the answer.',
})

export const uploadMetadataWrong = defineProblem('upload_metadata_wrong', {
  code: 'validation_failed',
  message: 'The upload must say the product_id and the filename of the file in Upload-Metadata.',
  when: 'An upload begins without the metadata that a content file needs, or with values that are too long.',
  remedy: 'Send `product_id` and `filename`, and if you like `role` and `language`, in `Upload-Metadata`.',
})

export const uploadInParts = defineProblem('upload_in_parts', {
  code: 'malformed',
  message: 'A file is uploaded in one piece: turn parallel uploads off in the client.',
  when: 'A client of the tus protocol sends `Upload-Concat`, in order to upload parts of a file at the same time.',
  remedy: 'Turn parallel uploads off in the client. An upload that was interrupted can be resumed.',
})

export const uploadBusy = defineProblem('upload_busy', {
  code: 'conflict',
  status: 423,
  message: 'Another request is writing to this upload.',
  when: 'An earlier request for the same upload has not ended yet.',
  remedy: 'Ask for the offset again in a few seconds, and go on from there.',
})

export const fileTooLarge = defineProblem<number>('file_too_large', {
  code: 'too_large',
  message: (bytes) => `The file is larger than ${bytes} bytes, the most that this service takes.`,
  when: 'The file has more bytes than the service takes.',
  remedy: 'Ask the operator of the service to raise LICET_UPLOAD_MAX_BYTES.',
})

export const nameIsNoFileName = defineFault('file_name_wrong', {
  message: 'must be a plain file name, without slashes and control characters',
  when: 'The name of a file is empty, is a path, or contains control characters.',
  remedy: 'Send the name alone, such as `film.mp4`.',
})

export const roleUnknown = defineFault<readonly string[]>('file_role_unknown', {
  message: (roles) => `must be one of ${roles.join(', ')}`,
  when: 'There is no such role of a content file.',
  remedy: 'Send one of the roles that the message names.',
})

export const addressWrong = defineProblem('file_address_wrong', {
  code: 'forbidden',
  message: 'The address of this file is not valid.',
  when: 'The signature in the address of a file is missing or wrong.',
  remedy: 'Ask for a new address, and use it as it is.',
})

export const addressExpired = defineProblem('file_address_expired', {
  code: 'forbidden',
  message: 'The address of this file has expired.',
  when: 'The address of a file is used after its end.',
  remedy: 'Ask for a new address.',
})

export const fileNotIncluded = defineProblem('file_not_included', {
  code: 'forbidden',
  message: 'This file does not belong to what was bought.',
  when: 'The file belongs to another product, or to the HD version while the SD version was bought.',
  remedy: 'Read which files the entitlement includes.',
})

export const accessEnded = defineProblem<string>('file_access_ended', {
  code: 'forbidden',
  message: (reason) => reason,
  when: 'The entitlement was revoked, has ended, or is suspended since the address was given out.',
  remedy: 'Read the entitlement: its `code` says why.',
})

export const nothingToDownload = defineProblem('file_none_included', {
  code: 'conflict',
  message: 'There is no file to download for this purchase.',
  when: 'The product has no file that the entitlement includes.',
  remedy: 'Upload a content file for the product.',
})

export const fileProtected = defineProblem<string>('file_protected', {
  code: 'forbidden',
  message: (name) => `"${name}" is protected, so it cannot be downloaded as it is. Open it in a reading app.`,
  when: 'The product has `drm_protected` and the license of the entitlement has `drm` 1, so nobody gets the file itself. Nothing is counted.',
  remedy: 'Get a license for reading apps with `POST /api/entitlements/{id}/reading_license.json`.',
})

export const fileStreamed = defineProblem<string>('file_streamed', {
  code: 'forbidden',
  message: (name) => `"${name}" is protected, so its file is not given out. It is played and read in My Content.`,
  when: 'The product has `drm_protected` and the license of the entitlement has `drm` 1: its films and recordings are played from encrypted segments, and books are read part by part. Nothing is counted.',
  remedy: 'Open My Content of the shop. Where a buyer may have the file, use a license with `drm` 0.',
})

export const fileBeingPrepared = defineProblem<string>('file_being_prepared', {
  code: 'unavailable',
  message: (name) => `"${name}" is being prepared. Try again in a moment.`,
  headers: () => ({ 'retry-after': '5' }),
  when: 'The copy of a PDF or EPUB that names its buyer is not made yet, or a publication is not encrypted yet. The download is not counted.',
  remedy: 'Ask again after the seconds in `Retry-After`.',
})

/** Has a file to be waited for? */
export function isBeingPreparedProblem(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'file_being_prepared'
}

export const fileNotStampable = defineProblem<{ name: string; reason: string }>('file_not_stampable', {
  code: 'conflict',
  message: ({ name, reason }) => `"${name}" cannot be downloaded, because the buyer cannot be named in it: ${reason}`,
  when: 'The license puts the name of the buyer into PDFs and EPUBs, and this file does not allow it. The download is not counted.',
  remedy: 'Upload a file that is not damaged or protected, or set `stamp` of the license to 0.',
})
