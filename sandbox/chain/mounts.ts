import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { BLOCKBOOK_COINS } from '../bitcoin/actors.ts'
import { createBlockbook } from '../bitcoin/blockbook.ts'
import { createBitcoinChain } from '../bitcoin/chain.ts'
import { createEsplora } from '../bitcoin/esplora.ts'
import { createKoios } from '../cardano/koios.ts'
import { createCardanoChain } from '../cardano/ledger.ts'
import { COSMOS_NETS } from '../cosmos/actors.ts'
import { createCosmosChain } from '../cosmos/ledger.ts'
import { createCosmosRest } from '../cosmos/rest.ts'
import { lazy } from '../lazy.ts'
import { createSolanaChain } from '../solana/chain.ts'
import { createSolana } from '../solana/solana.ts'
import { createSuiGraphql } from '../sui/graphql.ts'
import { createSuiChain } from '../sui/ledger.ts'
import { createTonChain } from '../ton/ledger.ts'
import { createToncenter } from '../ton/toncenter.ts'
import { createTronChain } from '../tron/chain.ts'
import { createTrongrid } from '../tron/trongrid.ts'
import { createXrplChain } from '../xrpl/ledger.ts'
import { createRippled } from '../xrpl/rippled.ts'
import { createBlockscout } from './blockscout.ts'
import { createEtherscan } from './etherscan.ts'

export function chainMounts({ market, indexes }: World): Mount[] {
  return [
    { base: '/etherscan/v2/api', upstream: createEtherscan(indexes) },
    { base: '/blockscout', upstream: createBlockscout(indexes) },
    { base: '/esplora/api', upstream: createEsplora(lazy(() => createBitcoinChain({ market }))) },
    ...BLOCKBOOK_COINS.map((coin) => ({
      base: `/blockbook/${coin.id}`,
      upstream: createBlockbook(
        coin,
        lazy(() => createBitcoinChain({ market, coin })),
      ),
    })),
    { base: '/trongrid', upstream: createTrongrid(lazy(() => createTronChain({ market }))) },
    { base: '/xrpl', upstream: createRippled(lazy(() => createXrplChain({ market }))) },
    ...COSMOS_NETS.map((net) => ({
      base: `/cosmos-rest/${net.id}`,
      upstream: createCosmosRest(lazy(() => createCosmosChain({ market, net }))),
    })),
    { base: '/sui-graphql', upstream: createSuiGraphql(lazy(() => createSuiChain({ market }))) },
    { base: '/toncenter', upstream: createToncenter(lazy(() => createTonChain({ market }))) },
    { base: '/koios', upstream: createKoios(lazy(() => createCardanoChain({ market }))) },
    { base: '/solana', upstream: createSolana(lazy(() => createSolanaChain({ market }))) },
  ]
}
