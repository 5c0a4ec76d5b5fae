import type pg from 'pg'
import { prepared, readText } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'
import type { WalletNetwork } from './read-transactions.ts'
import type { WalletTransactionToWrite } from './write-wallet.ts'

/** Notes which tokens of spam the transactions move. */
export async function noteSpam(
  client: pg.ClientBase,
  { networkId, transactions }: { networkId: string; transactions: readonly WalletTransactionToWrite[] },
): Promise<void> {
  const moved = transactions.flatMap(({ walletId, movements }) =>
    movements.filter(({ role }) => role === 'spam').map(({ coinId }) => ({ walletId, coinId })),
  )
  if (moved.length === 0) return
  await client.query(
    `insert into wallet_spam (wallet_id, network_id, coin_id)
     select distinct wallet_id, $1, coin_id from unnest($2::bigint[], $3::text[]) as moved (wallet_id, coin_id)
     order by wallet_id, coin_id on conflict do nothing`,
    [networkId, moved.map(({ walletId }) => walletId), moved.map(({ coinId }) => coinId)],
  )
}

/** Noted tokens of $1 wallets on $2 networks that are spam still. */
const NOTED = `
  from (select $1::bigint[] as wallets, $2::text[] as networks offset 0) as asked
  cross join unnest(asked.wallets, asked.networks) as wallet (id, network_id)
  join wallet_spam as spam on spam.wallet_id = wallet.id and spam.network_id = wallet.network_id
  join networks as network on network.id = spam.network_id
  join tokens as token on token.network_id = spam.network_id and token.coin_id = spam.coin_id
    and token.address = left(spam.coin_id, -length(network.blockchain) - 1)
  where token.spam_reason is not null`

const COUNT = prepared('count_spam', `select count(*)::integer as count ${NOTED}`)

/** How many tokens of spam the wallets have moved. */
export async function countSpam(db: ReadonlyDb, wallets: readonly WalletNetwork[]): Promise<number> {
  const [row] = await readText<{ count: number }>(db, { text: COUNT, values: columnsOf(wallets) })
  return row!.count
}

export interface SpamBalance {
  walletId: string
  networkId: string
  blockchain: string
  coinId: string
  tokenAddress: string
  name: string | null
  symbol: string | null
  /** Base units: the sum of what the token says that it moved. */
  raw: string
  decimals: number | null
  reason: 'advertises' | 'impersonates' | 'multisend'
}

const BALANCES = prepared(
  'spam_balances',
  `select * from (
     select spam.wallet_id as "walletId", spam.network_id as "networkId", network.blockchain, spam.coin_id as "coinId",
       token.address as "tokenAddress", token.name, token.symbol, token.decimals, token.spam_reason as reason,
       (select sum(raw) from movements where wallet_id = spam.wallet_id and network_id = spam.network_id
          and coin_id = spam.coin_id and role = 'spam') as raw
     ${NOTED}
   ) as held where raw > 0 order by "coinId"`,
)

/** Tokens of spam that wallets hold. Reads all movements of a wallet on a network. */
export const readSpamBalances = (db: ReadonlyDb, wallets: readonly WalletNetwork[]): Promise<SpamBalance[]> =>
  readText(db, { text: BALANCES, values: columnsOf(wallets) })

const columnsOf = (wallets: readonly WalletNetwork[]) => [
  wallets.map(({ walletId }) => walletId),
  wallets.map(({ networkId }) => networkId),
]
