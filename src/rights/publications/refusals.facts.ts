/** Sentences that tell the owner of a shop why a publication cannot be protected. */

export const TOO_MUCH_MEMORY = 'Protecting the file takes too much memory.'
export const TOO_SLOW = 'Protecting the file takes too long.'
export const FILES_GONE = 'A file is no longer stored.'
export const TOO_MANY_PARTS = 'The recording has more than 2,000 tracks.'

export function tooLarge(bytesMax: number): string {
  return `The files have more than ${Math.floor(bytesMax / 1_048_576)} MB, so they cannot be protected.`
}
