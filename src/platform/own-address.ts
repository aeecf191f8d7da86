/**
 * Stands in stored documents for the service's own address, which may change between a write and a read.
 * A caller who writes it into a text gets an address for it, and nothing else. It begins with a character that is rare
 * in documents, so that looking for it costs almost nothing.
 */
export const OWN_ADDRESS = '~licet-own-address'
