import type { FileFault } from './state.ts'

/** What is wrong with a file and what to do about it, in words for the shop owner. */
export const FAULT_MESSAGES: Readonly<Record<FileFault, string>> = {
  incomplete: 'The file is incomplete: its end is missing. Upload it again.',
  damaged: 'The file is damaged and cannot be opened. Export it again and upload the new file.',
  no_media: 'The file contains neither sound nor a picture.',
  not_playable: 'Browsers cannot play this format. Upload an MP4 file with H.264 and AAC.',
  password_required: 'The PDF can only be opened with a password. Save it without one.',
  encrypted: 'The EPUB contains files that are encrypted. Upload a copy without copy protection.',
  no_reading_order: 'The EPUB does not say in which order its chapters are read.',
  chapters_missing: 'The EPUB names chapters that it does not contain.',
  too_complex: 'Reading the file takes too much time or memory.',
}
