/**
 * Work of one sort, with slots of its own: a lane that is full delays no other. The numbers apply to each process. A
 * company never has more than `slotsPerCompany` of them, so that there is always a slot that others can get.
 */
export type Lane = {
  /** In lower case with underscores, because a channel of PostgreSQL is named after it. */
  readonly name: string
  readonly slots: number
  readonly slotsPerCompany: number
  /** Whether its work takes long and is the same at any time: then it goes on while the clock of a company is moved. */
  readonly isTimeless?: true
}

/** Mails that a person waits for, such as a sign-in link: they never queue behind other mails. */
export const SIGN_IN_MAIL: Lane = { name: 'sign_in_mail', slots: 6, slotsPerCompany: 4 }

/** All other mails. A slot is taken for as long as the mail server takes. */
export const MAIL: Lane = { name: 'mail', slots: 6, slotsPerCompany: 4 }

/** Downloads from other people's servers, which may be slow. */
export const DOWNLOADS: Lane = { name: 'downloads', slots: 6, slotsPerCompany: 4, isTimeless: true }

/** Requests to services of others, which may be slow. Their answers decide what happens next. */
export const SERVICE_CALLS: Lane = { name: 'service_calls', slots: 4, slotsPerCompany: 2 }

/** Short changes of the database that follow from another change. */
export const FOLLOW_UPS: Lane = { name: 'follow_ups', slots: 4, slotsPerCompany: 3 }

/** Changes of many rows. One company's jobs of this sort would only wait for each other's locks. */
export const BULK_CHANGES: Lane = { name: 'bulk_changes', slots: 2, slotsPerCompany: 1 }

/** Work that no person waits for. */
export const HOUSEKEEPING: Lane = { name: 'housekeeping', slots: 2, slotsPerCompany: 1, isTimeless: true }

/** Copies of files that are changed on the way, which takes CPU time. Somebody waits for them. */
export const FILE_COPIES: Lane = { name: 'file_copies', slots: 2, slotsPerCompany: 1, isTimeless: true }

/** Films are cut into segments, part by part. Each part takes seconds of CPU time, and nobody waits for it. */
export const PACKING: Lane = { name: 'packing', slots: 2, slotsPerCompany: 1, isTimeless: true }
