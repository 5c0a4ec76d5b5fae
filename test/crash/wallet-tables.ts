import { query } from '../setup/query.ts'

/** The tables that wallet syncs fill. The undisturbed run starts with all of them empty. */
export const WALLET_TABLES = [
  'transactions',
  'transfers',
  'blocks',
  'tokens',
  'movements',
  'balances',
  'balance_days',
  'wallets',
  'wallet_syncs',
  'wallet_transactions',
  'wallet_transaction_anchors',
  'wallet_transaction_counts',
  'transfer_matches',
  'pl_days',
  'pl_states',
  'scopes',
  'folds',
  'coin_folds',
  'coin_fold_days',
  'lot_uses',
  'coin_moves',
  'books',
  'outbox',
]

const CONTENTS: Record<string, string> = {
  transactions: `select network_id, hash, block_hash, at, tx_index, from_address, value, fee, success from transactions`,
  transfers: `select network_id, tx_hash, kind, position, item, token_address, token_id, from_address, to_address, raw
    from transfers`,
  wallet_transactions: `select wallet.address, network_id, at, hash, type, coin_ids, main_coin_id, main_count
    from wallet_transactions join wallets as wallet on wallet.id = wallet_id`,
  movements: `select wallet.address, network_id, tx_hash, seq, role, coin_id, raw, decimals
    from movements join wallets as wallet on wallet.id = wallet_id`,
  balances: `select wallet.address, network_id, coin_id, raw, decimals
    from balances join wallets as wallet on wallet.id = wallet_id`,
}

/** Number of rows and a digest of them, by table, without ids, prices, sources and fetch times. */
export async function walletTables(url: string): Promise<Record<string, { rows: number; digest: string }>> {
  const result: Record<string, { rows: number; digest: string }> = {}
  for (const [table, select] of Object.entries(CONTENTS)) {
    const [found] = await query<{ rows: number; digest: string }>(
      url,
      `select count(*)::integer as rows, md5(coalesce(string_agg(t::text, E'\n' order by t::text), '')) as digest
       from (${select}) as t`,
    )
    result[table] = found!
  }
  return result
}
