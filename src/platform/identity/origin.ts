/** Where a request came from, for the record. */
export type Origin = { address: string; requestId: string }

/** The origin of actions on the command line. */
export const COMMAND_LINE: Origin = { address: 'command line', requestId: '' }
