import type pg from 'pg'

/** All that is derived and held of a wallet, to compare one way to sync it with another. */
export async function walletContents(
  pool: pg.Pool,
  { networkId, address }: { networkId: string; address: string },
) {
  const ofWallet =
    'join wallets as wallet on wallet.id = wallet_id where network_id = $1 and wallet.address = $2'
  const rows = async (statement: string) => (await pool.query(statement, [networkId, address])).rows
  return {
    served: await rows(
      `select at, tx_index, hash, type, coin_ids, fragment from wallet_transactions ${ofWallet} order by 1, 2, 3`,
    ),
    movements: await rows(`select tx_hash, seq, role, coin_id, raw from movements ${ofWallet} order by 1, 2`),
    balances: await rows(`select coin_id, raw, decimals from balances ${ofWallet} order by 1`),
  }
}
