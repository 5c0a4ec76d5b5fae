import { kaminoLend } from './kamino.ts'
import { marinade, marinadeTickets } from './marinade.ts'
import { nativeStaking } from './native-staking.ts'
import { orca } from './orca.ts'
import type { SolanaProtocol } from './protocol.ts'
import { raydium } from './raydium.ts'
import { STAKE_POOLS } from './stake-pool-list.ts'
import { stakePools } from './stake-pools.ts'

/** The protocols on Solana, in the order in which answers list them. Each also needs its site in `stored-protocols.ts`. */
export const SOLANA_PROTOCOLS: readonly SolanaProtocol[] = [
  nativeStaking,
  stakePools({ id: 'jito', name: 'Jito', pools: STAKE_POOLS.jito }),
  stakePools({ id: 'blazestake', name: 'BlazeStake', pools: STAKE_POOLS.blazestake }),
  stakePools({ id: 'jupiter-staked-sol', name: 'Jupiter Staked SOL', pools: STAKE_POOLS.jupiter }),
  stakePools({ id: 'binance-staked-sol', name: 'Binance Staked SOL', pools: STAKE_POOLS.binance }),
  stakePools({ id: 'phantom-staked-sol', name: 'Phantom Staked SOL', pools: STAKE_POOLS.phantom }),
  stakePools({ id: 'the-vault', name: 'The Vault', pools: STAKE_POOLS.vault }),
  stakePools({ id: 'sanctum', name: 'Sanctum', pools: STAKE_POOLS.sanctum }),
  stakePools({ id: 'spl-stake-pools', name: 'Stake Pools', pools: STAKE_POOLS.others }),
  marinade,
  marinadeTickets,
  orca,
  raydium,
  kaminoLend,
]
