import { onchainTable, primaryKey } from 'ponder'

export const transfers = onchainTable(
  'transfers',
  (t) => ({
    tx_hash: t.hex().notNull(),
    log_index: t.integer().notNull(),
    block_number: t.bigint().notNull(),
    block_hash: t.hex().notNull(),
    at: t.bigint().notNull(),
    token_address: t.hex().notNull(),
    from_address: t.hex().notNull(),
    to_address: t.hex().notNull(),
    raw: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tx_hash, table.log_index] }) }),
)
