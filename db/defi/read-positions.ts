import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'

interface WalletNetwork {
  walletId: string
  networkId: string
}

/** One asset of a position with data of position, protocol, network and coin. */
export interface DefiAssetRow extends WalletNetwork {
  address: string
  blockchain: string
  networkName: string
  networkIcon: string
  protocolId: string
  protocolName: string
  protocolLogo: string
  protocolUrl: string
  healthUrl: string | null
  positionId: string
  positionName: string
  poolAddress: string
  healthRate: string | null
  unlockAt: Date | null
  endAt: Date | null
  isProxy: boolean
  role: string
  /** null: the native asset */
  token: string | null
  /** base units */
  raw: string
  /** null: the protocol states none */
  aprPercent: string | null
  /** null: not given by the contract */
  decimals: number | null
  symbol: string | null
  coinId: string | null
  icon: string | null
  /** null: never priced */
  priceUsd: string | null
  /** time of the price */
  pricedAt: Date | null
  isSpam: boolean
}

/**
 * $1 wallets, $2 networks. Prepared and in two parts, because planning so many joins takes far longer than reading, in
 * one part three times as long as in two.
 */
const ASSETS = prepared(
  'defi_assets',
  `with found as materialized (
    select owner.address, owner.id as "walletId", network.id as "networkId", network.blockchain,
      network.name as "networkName", network.icon as "networkIcon", protocol.id as "protocolId",
      protocol.name as "protocolName", protocol.logo as "protocolLogo", protocol.url as "protocolUrl",
      protocol.health_url as "healthUrl", held.id as "positionId", held.name as "positionName",
      held.pool_address as "poolAddress", held.health_rate as "healthRate", held.unlock_at as "unlockAt",
      held.end_at as "endAt", held.is_proxy as "isProxy", asset.role, asset.token_address as token, asset.raw,
      asset.apr_percent as "aprPercent", asset.seq, network.position as network_position,
      protocol.position as protocol_position, network.wrapped_address, network.coin_id, network.symbol, network.decimals
    -- "offset 0" hides the number of items from the planner, which would otherwise plan every statement again.
    from (select $1::bigint[] as wallets, $2::text[] as networks offset 0) as asked
    cross join unnest(asked.wallets, asked.networks) as wallet (id, network_id)
    join wallets as owner on owner.id = wallet.id
    join networks as network on network.id = wallet.network_id
    join defi_positions as held on held.wallet_id = wallet.id and held.network_id = wallet.network_id
    join defi_protocols as protocol on protocol.id = held.protocol_id
    join defi_assets as asset on asset.wallet_id = held.wallet_id and asset.network_id = held.network_id
      and asset.protocol_id = held.protocol_id and asset.position_id = held.id
  )
  select found.address, "walletId", "networkId", found.blockchain, "networkName", "networkIcon", "protocolId",
    "protocolName", "protocolLogo", "protocolUrl", "healthUrl", "positionId", "positionName", "poolAddress", "healthRate",
    "unlockAt", "endAt", "isProxy", role, found.token, raw, "aprPercent",
    case when found.token is null then found.decimals else token.decimals end as decimals,
    coalesce(upper(coin.symbol), case when found.token is null then found.symbol else token.symbol end) as symbol,
    known.coin_id as "coinId", coin.icon, quote.price_usd as "priceUsd", quote.at as "pricedAt",
    token.spam_reason is not null as "isSpam"
  from found
  left join tokens as token on token.network_id = "networkId" and token.address = found.token
  left join coin_contracts as contract on contract.blockchain = found.blockchain and contract.address = found.token
  cross join lateral (select case when found.token is null or found.token = wrapped_address then found.coin_id
    else coalesce(contract.coin_id, token.coin_id) end as coin_id) as known
  left join coins as coin on coin.id = known.coin_id
  left join coin_quotes as quote on quote.coin_id = known.coin_id
  order by network_position, found.address, protocol_position, "positionId", seq`,
)

/** Assets of the positions of wallets, ordered by network, wallet, protocol and position. */
export const readDefiAssets = (db: ReadonlyDb, wallets: readonly WalletNetwork[]): Promise<DefiAssetRow[]> =>
  readText(db, { text: ASSETS, values: keysOf(wallets) })

/**
 * `asOf`: the last complete read of a wallet's positions, or the last read if none was complete; null: none. Of a
 * wallet without positions to which nothing happened since, the time up to which everything of it is known.
 */
export interface DefiState extends WalletNetwork {
  asOf: Date | null
  /** false: no protocol is read on the network */
  deployed: boolean
}

/** $1 wallets, $2 networks. */
const STATES = prepared(
  'defi_states',
  `select wallet.id as "walletId", wallet.network_id as "networkId",
    case when read.failure is null and not exists (
        select from defi_marks where wallet_id = wallet.id and network_id = wallet.network_id)
      and not exists (select from defi_positions where wallet_id = wallet.id and network_id = wallet.network_id)
      then greatest(coalesce(read.complete_at, read.fetched_at), case when read.fetched_at is not null then coverage.synced_at end)
      else coalesce(read.complete_at, read.fetched_at) end as "asOf",
    exists (select from defi_deployments where network_id = wallet.network_id) as deployed
  -- "offset 0" hides the number of items from the planner, which would otherwise plan every statement again.
  from (select $1::bigint[] as wallets, $2::text[] as networks offset 0) as asked
  cross join unnest(asked.wallets, asked.networks) as wallet (id, network_id)
  left join defi_reads as read on read.wallet_id = wallet.id and read.network_id = wallet.network_id
  left join wallet_coverage as coverage
    on coverage.wallet_id = wallet.id and coverage.network_id = wallet.network_id`,
)

export const readDefiStates = (db: ReadonlyDb, wallets: readonly WalletNetwork[]): Promise<DefiState[]> =>
  readText(db, { text: STATES, values: keysOf(wallets) })

const keysOf = (wallets: readonly WalletNetwork[]) => [
  wallets.map(({ walletId }) => walletId),
  wallets.map(({ networkId }) => networkId),
]
