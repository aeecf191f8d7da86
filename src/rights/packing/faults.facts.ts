/** Why a film or a recording cannot be packed, in words for the shop owner. */
export const PACKING_FAULTS = {
  source_gone: 'The file is no longer stored. Upload it again.',
  no_media: 'There is neither a film nor sound in the file.',
  damaged: 'The file is damaged. Export it again and upload it.',
  video_codec:
    'The pictures are coded in a way that browsers do not play in protected form. Export the film as H.264 (AVC).',
  audio_codec: 'The sound is coded in a way that browsers do not play in protected form. Export it with AAC.',
  few_key_frames:
    'There are too few key frames: one at least every 20 seconds is needed. Export the film with a key frame every two to four seconds.',
  too_complex:
    'Reading the file took too much memory or time, each time it was tried. Try again, or export it again and upload it.',
} as const

export type PackingFault = keyof typeof PACKING_FAULTS
