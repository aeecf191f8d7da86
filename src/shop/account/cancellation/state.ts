export type CancellationForm = {
  name: string
  email: string
  /** The number of an order or of the subscription; may be empty. */
  number: string
  /** `ordinary` or `extraordinary`. */
  kind: string
  reason: string
  /** The day that it is to end, such as `2027-03-31`; empty for as soon as possible. */
  end: string
}
