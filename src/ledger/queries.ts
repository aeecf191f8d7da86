export const LEDGER_ENTRIES = 'ledger_entries'
