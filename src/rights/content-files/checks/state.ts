/** What is wrong with a file that was stored. */
export type FileFault =
  | 'incomplete'
  | 'damaged'
  | 'no_media'
  | 'not_playable'
  | 'password_required'
  | 'encrypted'
  | 'no_reading_order'
  | 'chapters_missing'
  | 'too_complex'

/** What was read from the bytes of a file. Null: the format has none of it, or the file does not say it. */
export type FileDetails = {
  /** In seconds. */
  duration: number | null
  /** Of the picture of a film, in pixels. */
  width: number | null
  height: number | null
  pages: number | null
  chapters: number | null
}

export type Checked = FileDetails & { fault: FileFault | null }

export const NOT_CHECKED: Checked = {
  duration: null,
  width: null,
  height: null,
  pages: null,
  chapters: null,
  fault: null,
}

/** The formats whose bytes are read. */
export type CheckedFormat = 'media' | 'pdf' | 'epub'
