import { useState } from 'react'
import { PictureRefused, uploadPicture } from '../../ui/forms/upload-picture.ts'
import { t } from '../../words/words.ts'

/** A picture on its way, or one that was refused. */
export type PictureSending = { key: number; name: string; share: number; problem?: string }

let lastKey = 0

/** Sends pictures one after the other, so that they arrive in the order in which they were chosen. */
export function usePictureUploads(onUploaded: (src: string) => void) {
  const [sendings, setSendings] = useState<readonly PictureSending[]>([])
  const update = (key: number, part: Partial<PictureSending>) =>
    setSendings((now) => now.map((each) => (each.key === key ? { ...each, ...part } : each)))
  const forget = (key: number) => setSendings((now) => now.filter((each) => each.key !== key))
  const send = async (files: Iterable<File>) => {
    const begun = [...files].map((file) => {
      lastKey += 1
      return { file, sending: { key: lastKey, name: file.name, share: 0 } }
    })
    setSendings((now) => [...now, ...begun.map(({ sending }) => sending)])
    for (const { file, sending } of begun) {
      try {
        const { url } = await uploadPicture(file, (share) => update(sending.key, { share }))
        forget(sending.key)
        onUploaded(url)
      } catch (error) {
        const why = error instanceof PictureRefused ? error.message : ''
        update(sending.key, { problem: why || t('problem.offline') })
      }
    }
  }
  return { sendings, send, forget }
}
