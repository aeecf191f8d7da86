import type { Schemas } from '@licet/client'
import { companyHeader } from '../../api.ts'

export type UploadedPicture = Schemas['UploadedPicture']

/** What the service takes. Anything else is sent all the same, and the service says why not. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']

/** Why a picture was not taken, in the words of the service; an empty message if it did not answer. */
export class PictureRefused extends Error {}

/** Sends a picture, and says how much of it is on its way. `fetch` could not say that. */
export function uploadPicture(file: File, onShare: (share: number) => void): Promise<UploadedPicture> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/admin/api/pictures.json')
    request.setRequestHeader('content-type', PICTURE_TYPES.includes(file.type) ? file.type : 'image/png')
    for (const [name, value] of Object.entries(companyHeader())) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      const { picture, error = '' } = Object(request.response)
      return picture === undefined ? reject(new PictureRefused(error)) : resolve(picture)
    }
    request.onerror = () => reject(new PictureRefused(''))
    request.send(file)
  })
}
