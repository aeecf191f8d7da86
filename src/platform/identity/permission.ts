/** The names of the permissions that users have. The wing that knows users adds them here. */
// biome-ignore lint/suspicious/noEmptyInterface: another module declares what is in it.
export interface PermissionNames {}

/** What a user may do, and with it an app that the user let in. */
export type Permission = keyof PermissionNames
