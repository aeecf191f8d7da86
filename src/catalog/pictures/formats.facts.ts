/** The supported picture formats: file extension → content type. */
export const PICTURE_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

export type PictureExtension = keyof typeof PICTURE_TYPES
