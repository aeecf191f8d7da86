/** Where a request came from, for the record. */
export type Origin = { address: string; requestId: string }

/** What is done from the command line comes from the machine itself. */
export const COMMAND_LINE: Origin = { address: 'command line', requestId: '' }
