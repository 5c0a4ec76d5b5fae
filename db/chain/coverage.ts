import type pg from 'pg'

// From which block on the follower of a network matches each wallet: `wallet_syncs.covered_from`.

interface NetworkWallet {
  walletId: string
  address: string
}

interface WalletRow {
  wallet_id: string
  address: string
}

const walletOf = (row: WalletRow): NetworkWallet => ({ walletId: row.wallet_id, address: row.address })

const PAGE = 50_000

/**
 * The addresses of all wallets of a network, in pages: a million rows at once would stop the process. A page is one
 * row, because reading its rows one by one took most of the time, and the next one is asked for meanwhile.
 */
export async function* networkAddresses(pool: pg.Pool, networkId: string): AsyncGenerator<string[]> {
  let next = addressPage(pool, networkId, '-1')
  for (;;) {
    const { last, addresses } = await next
    if (last === null || addresses === null) return
    next = addressPage(pool, networkId, last)
    // The consumer may stop, and then nobody waits for the next page.
    next.catch(() => {})
    yield addresses.split(' ')
  }
}

async function addressPage(
  pool: pg.Pool,
  networkId: string,
  after: string,
): Promise<{ last: string | null; addresses: string | null }> {
  const { rows } = await pool.query<{ last: string | null; addresses: string | null }>({
    name: 'network_addresses',
    text: `select max(wallet_id) as last, string_agg(address, ' ') as addresses from (
        select wallet_id, address from wallet_syncs join wallets on wallets.id = wallet_id
        -- Both, so that a merge join does not read all wallets below for each page.
        where network_id = $1 and wallet_id > $2 and wallets.id > $2 order by wallet_id limit ${PAGE}) as page`,
    values: [networkId, after],
  })
  return rows[0]!
}

/** Wallets that the follower has still to take up, whose history is read up to a block; -1: all. */
export async function uncoveredWallets(
  pool: pg.Pool,
  input: { networkId: string; readThrough: number },
): Promise<NetworkWallet[]> {
  const { rows } = await pool.query<WalletRow>(
    `select wallet_id, address from wallet_syncs join wallets on wallets.id = wallet_id
     where network_id = $1 and covered_from is null and cursor_block >= $2
       and (paused_until is null or paused_until <= now())`,
    [input.networkId, input.readThrough],
  )
  return rows.map(walletOf)
}

/** Records that the follower matches the wallets from a block on. Needs the lock of the follower. */
export async function coverWallets(
  client: pg.ClientBase,
  input: { networkId: string; walletIds: readonly string[]; fromBlock: number },
): Promise<void> {
  if (input.walletIds.length === 0) return
  await client.query(
    `update wallet_syncs set covered_from = $3, paused_until = null
     from (
       select wallet_id from wallet_syncs where network_id = $1 and wallet_id = any($2) and covered_from is null
       order by wallet_id for update
     ) as taken
     where wallet_syncs.network_id = $1 and wallet_syncs.wallet_id = taken.wallet_id`,
    [input.networkId, input.walletIds, input.fromBlock],
  )
}

/** Has the follower leave wallets alone until then. Their mark must be locked. */
export async function pauseWallets(
  client: pg.ClientBase,
  { networkId, walletIds, until }: { networkId: string; walletIds: readonly string[]; until: Date },
): Promise<void> {
  if (walletIds.length === 0) return
  await client.query(
    `update wallet_syncs set covered_from = null, paused_until = $3
     where network_id = $1 and wallet_id = any($2)`,
    [networkId, walletIds, until],
  )
}

/** Those of the addresses that are covered wallets of the network. */
export async function coveredWallets(
  client: pg.ClientBase,
  input: { networkId: string; addresses: readonly string[] },
): Promise<NetworkWallet[]> {
  if (input.addresses.length === 0) return []
  const { rows } = await client.query<WalletRow>(
    `select wallet_id, address from wallets join wallet_syncs on wallet_id = wallets.id
     where address = any($2) and network_id = $1 and covered_from is not null order by wallet_id`,
    [input.networkId, input.addresses],
  )
  return rows.map(walletOf)
}
