/**
 * The usual words for HTTP statuses, by number. They are asked of Node this way because an import of `node:http` makes
 * Node load its own fetch and WebSocket, which nobody here uses.
 */
export const STATUS_TEXTS: Readonly<Record<number, string | undefined>> =
  process.getBuiltinModule('node:http').STATUS_CODES
