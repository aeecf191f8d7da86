/** A key of the service, without its private half. */
export type SigningKey = {
  kid: string
  /** The "x" of its JSON Web Key. */
  public_key: string
  created_at: Date
  /** The key signs from here until that of the next key. */
  signs_from: Date
  files_end_at: Date | null
  signed_for_good: boolean
}

/** A key with its place in the succession. */
export type PlacedKey = SigningKey & {
  state: 'waiting' | 'signing' | 'retired'
  /** When the key is no longer published. Null: not decided yet, or never. */
  publishedUntil: Date | null
}
