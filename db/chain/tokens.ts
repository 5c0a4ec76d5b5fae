import type pg from 'pg'
import type { TokenUse } from './wallet-raw.ts'

interface WalletScope {
  networkId: string
  addresses: readonly string[]
}

/** Token contracts in a wallet's transfers. */
export async function usedTokens(pool: pg.Pool, scope: WalletScope): Promise<TokenUse[]> {
  const { rows } = await pool.query<{ token_address: string; receivers: number; is_nft: boolean }>(
    `select token_address, max(fan_out) as receivers, bool_or(kind in ('erc721', 'erc1155')) as is_nft from (
       select token_address, fan_out, kind from transfers where network_id = $1 and from_address = any($2)
       union all select token_address, fan_out, kind from transfers where network_id = $1 and to_address = any($2)
     ) as moved where token_address is not null group by token_address order by token_address`,
    [scope.networkId, scope.addresses],
  )
  return rows.map((row) => ({ address: row.token_address, receivers: row.receivers, isNft: row.is_nft }))
}

/** The contracts of coins, without spam. */
export async function contractsOfCoins(
  pool: pg.Pool,
  { networkId, coinIds }: { networkId: string; coinIds: readonly string[] },
): Promise<{ address: string; coinId: string; decimals: number | null }[]> {
  const { rows } = await pool.query<{ address: string; coin_id: string; decimals: number | null }>(
    `select address, coin_id, decimals from tokens
     where network_id = $1 and coin_id = any($2) and spam_reason is null order by address`,
    [networkId, coinIds],
  )
  return rows.map(({ coin_id, ...row }) => ({ ...row, coinId: coin_id }))
}

/** The contracts of the largest coins on a network, without one that shows the native coin as a token. */
export async function listedContracts(
  pool: pg.Pool,
  input: { blockchain: string; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ address: string }>(
    `select contract.address from coin_contracts as contract join coins as coin on coin.id = contract.coin_id
     where contract.blockchain = $1 and coin.rank is not null and not exists (
         select from networks where blockchain = $1 and native_token = contract.address
       ) order by coin.rank, contract.address limit $2`,
    [input.blockchain, input.limit],
  )
  return rows.map((row) => row.address)
}

/** Those of the contracts that belong to a coin. */
export async function listedTokens(
  pool: pg.Pool,
  input: { networkId: string; blockchain: string; addresses: readonly string[] },
): Promise<string[]> {
  const { rows } = await pool.query<{ address: string }>(
    `select asked.address from unnest($3::text[]) as asked (address)
     where exists (select from coin_contracts as known where known.blockchain = $2 and known.address = asked.address)
       or exists (select from networks where id = $1 and wrapped_address = asked.address)`,
    [input.networkId, input.blockchain, input.addresses],
  )
  return rows.map((row) => row.address)
}

/** Those of the contracts that are not stored as tokens yet. */
export async function unknownTokens(pool: pg.Pool, scope: WalletScope): Promise<string[]> {
  const { rows } = await pool.query<{ address: string }>(
    `select asked.address from unnest($2::text[]) as asked (address)
     where not exists (select from tokens where network_id = $1 and tokens.address = asked.address)`,
    [scope.networkId, scope.addresses],
  )
  return rows.map((row) => row.address)
}

/** Inserts missing tokens and returns the contracts of those inserted. */
export async function insertTokens(
  client: pg.Pool | pg.ClientBase,
  input: {
    networkId: string
    blockchain: string
    source: string
    fetchedAt: Date
    tokens: readonly {
      address: string
      symbol: string | null
      name: string | null
      decimals: number | null
    }[]
  },
): Promise<string[]> {
  const { tokens } = input
  const { rows } = await (client as pg.Pool).query<{ address: string }>(
    `insert into tokens (network_id, address, symbol, name, decimals, coin_id, source, fetched_at)
     select $1, token.address, token.symbol, token.name, token.decimals,
       coalesce(wrapped.coin_id, contract.coin_id, token.address || '_' || $2), $3, $4
     from unnest($5::text[], $6::text[], $7::text[], $8::smallint[]) as token (address, symbol, name, decimals)
     left join networks as wrapped on wrapped.id = $1 and wrapped.wrapped_address = token.address
     left join coin_contracts as contract on contract.blockchain = $2 and contract.address = token.address
     on conflict do nothing returning address`,
    [
      input.networkId,
      input.blockchain,
      input.source,
      input.fetchedAt,
      tokens.map((one) => one.address),
      tokens.map((one) => one.symbol),
      tokens.map((one) => one.name),
      tokens.map((one) => one.decimals),
    ],
  )
  return rows.map((row) => row.address)
}

export interface TokenFacts {
  address: string
  symbol: string | null
  name: string | null
  coin_id: string
  spam_reason: string | null
  /** coin with this contract: of the wrapped native asset the native one; null: none */
  known_coin_id: string | null
  priced: boolean
  receivers: number
  is_nft: boolean
}

/** Stored facts about tokens. */
export async function tokenFacts(
  client: pg.ClientBase,
  { networkId, tokens }: { networkId: string; tokens: readonly TokenUse[] },
): Promise<TokenFacts[]> {
  const { rows } = await client.query<TokenFacts>(
    `select token.address, token.symbol, token.name, token.coin_id, token.spam_reason,
       known.coin_id as known_coin_id,
       known.coin_id is null and (exists (select from price_days where coin_id = token.coin_id)
         or exists (select from price_hours where coin_id = token.coin_id)) as priced,
       used.receivers, used.is_nft
     from unnest($2::text[], $3::integer[], $4::boolean[]) as used (address, receivers, is_nft)
     join tokens as token on token.network_id = $1 and token.address = used.address
     join networks as network on network.id = $1
     left join coin_contracts as contract
       on contract.blockchain = network.blockchain and contract.address = token.address
     cross join lateral (select case when token.address = network.wrapped_address then network.coin_id
       else contract.coin_id end as coin_id) as known
     order by token.address`,
    [
      networkId,
      tokens.map(({ address }) => address),
      tokens.map(({ receivers }) => receivers),
      tokens.map(({ isNft }) => isNft),
    ],
  )
  return rows
}

/** Symbols that spam tokens impersonate: those of the top 250 coins and of the networks of `all`. */
export async function majorSymbols(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ symbol: string }>(
    `select symbol from coins where rank <= 250 union select symbol from networks where in_all`,
  )
  return rows.map((row) => row.symbol)
}

/**
 * Stores the coins and spam verdicts of tokens. For tokens that were stored before, all wallets with their
 * transfers are derived again.
 */
export async function reclassifyTokens(
  client: pg.ClientBase,
  input: {
    networkId: string
    tokens: readonly { address: string; coinId: string; spamReason: string | null; isNew: boolean }[]
  },
): Promise<void> {
  const { networkId, tokens } = input
  await client.query(
    `update tokens as token set coin_id = known.coin_id, spam_reason = known.spam_reason
     from unnest($2::text[], $3::text[], $4::text[]) as known (address, coin_id, spam_reason)
     where token.network_id = $1 and token.address = known.address`,
    [
      networkId,
      tokens.map((one) => one.address),
      tokens.map((one) => one.coinId),
      tokens.map((one) => one.spamReason),
    ],
  )
  const changed = tokens.filter((one) => !one.isNew).map((one) => one.address)
  if (changed.length === 0) return
  await client.query(
    `select derive_again($1, array_agg(id), array_agg(first_block)) from (
       select wallet.id, min(moved.block_number) as first_block
       from transfers as moved join wallets as wallet on wallet.address in (moved.from_address, moved.to_address)
       where moved.network_id = $1 and moved.token_address = any($2) group by wallet.id
     ) as touched having count(*) > 0`,
    [networkId, changed],
  )
}
