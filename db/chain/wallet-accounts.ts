import type pg from 'pg'

interface Scope {
  walletId: string
  networkId: string
}

interface Account {
  account: string
  role: 'wallet' | 'address' | 'token'
  readBlock: number
  newest: string | null
}

/** The accounts of a wallet whose history is read separately, and how far each is read. */
export async function readAccounts(client: pg.Pool | pg.ClientBase, scope: Scope): Promise<Account[]> {
  const { rows } = await (client as pg.Pool).query<{
    account: string
    role: Account['role']
    read_block: string
    newest: string | null
  }>(
    `select account, role, read_block, newest from wallet_accounts
     where wallet_id = $1 and network_id = $2 order by account`,
    [scope.walletId, scope.networkId],
  )
  return rows.map(({ read_block, ...row }) => ({ ...row, readBlock: Number(read_block) }))
}

/** Stores accounts and their read positions. Returns the number of new ones. Needs an open transaction. */
export async function writeAccounts(
  client: pg.ClientBase,
  input: Scope & { source: string; fetchedAt: Date; accounts: readonly Account[] },
): Promise<number> {
  const { accounts } = input
  if (accounts.length === 0) return 0
  const { rows } = await client.query<{ is_new: boolean }>(
    `insert into wallet_accounts as known
       (wallet_id, network_id, account, role, read_block, newest, source, fetched_at)
     select $1, $2, account, role, read_block, newest, $3, $4
     from unnest($5::text[], $6::text[], $7::bigint[], $8::text[]) as read (account, role, read_block, newest)
     order by account
     on conflict (wallet_id, network_id, account) do update set read_block = excluded.read_block,
       newest = excluded.newest, source = excluded.source, fetched_at = excluded.fetched_at
     returning xmax = 0 as is_new`,
    [
      input.walletId,
      input.networkId,
      input.source,
      input.fetchedAt,
      accounts.map((one) => one.account),
      accounts.map((one) => one.role),
      accounts.map((one) => one.readBlock),
      accounts.map((one) => one.newest),
    ],
  )
  return rows.filter((row) => row.is_new).length
}

/** All addresses of a wallet: its own, and those derived from its extended key. */
export async function ownAddresses(
  client: pg.Pool | pg.ClientBase,
  input: { networkId: string; address: string },
): Promise<string[]> {
  const { rows } = await (client as pg.Pool).query<{ account: string }>(
    `select account from wallet_accounts as known join wallets as wallet on wallet.id = known.wallet_id
     where wallet.address = $2 and known.network_id = $1 and known.role = 'address' order by account`,
    [input.networkId, input.address],
  )
  return [input.address, ...rows.map((row) => row.account)]
}
