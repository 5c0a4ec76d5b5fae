import { COSMOS_NETWORKS } from '../../db/values/networks/account-networks.ts'
import { UTXO_NETWORKS } from '../../db/values/networks/utxo-networks.ts'
import type { AskDeps, Questions } from '../source-questions.ts'
import { createAlchemyTransfers } from './sources/alchemy-transfers.ts'
import { createBlockbookApi } from './sources/blockbook.ts'
import { createBlockscout } from './sources/blockscout.ts'
import { createCosmos } from './sources/cosmos.ts'
import { createEsplora } from './sources/esplora.ts'
import { createEtherscan, createRoutescan } from './sources/etherscan.ts'
import type { Explorer } from './sources/explorer.ts'
import { createKoiosApi } from './sources/koios-api.ts'
import { createSolanaRpc } from './sources/solana-rpc.ts'
import { createSui } from './sources/sui.ts'
import { createToncenterApi } from './sources/toncenter-api.ts'
import { createTrongridApi } from './sources/trongrid-api.ts'
import { createXrpl } from './sources/xrpl.ts'

/** An early block of the burn address: a page without rows, or with old ones. */
const ONE_PAGE = {
  address: '0x000000000000000000000000000000000000dead',
  fromBlock: 1,
  toBlock: 1,
  next: null,
  onlyInternals: true,
}
const ETHEREUM = 1
const BASE = 8453

const stepOf = (explorer: Explorer, chainId: number) => explorer.step({ ...ONE_PAGE, chainId })

export function chainQuestions({ http, config: { sources } }: AskDeps): Questions {
  const { etherscan, blockscout, routescan, esplora, koios, solana, toncenter, trongrid, xrpl } = sources
  return {
    etherscan: () => etherscan && stepOf(createEtherscan({ http, ...etherscan }), ETHEREUM),
    // On a network that Etherscan's free plan lacks.
    blockscout: () => blockscout && stepOf(createBlockscout({ http, ...blockscout }), BASE),
    routescan: () => routescan && stepOf(createRoutescan({ http, ...routescan }), ETHEREUM),
    'alchemy-transfers': () =>
      sources['alchemy-transfers'] &&
      stepOf(createAlchemyTransfers({ http, ...sources['alchemy-transfers'] }), ETHEREUM),
    esplora: () => esplora && createEsplora({ http, url: esplora.url, reorgDepth: 1 }).head(),
    ...Object.fromEntries(
      UTXO_NETWORKS.map(({ history: [name], utxo: formats }) => [
        name,
        () => sources[name] && createBlockbookApi({ http, name, url: sources[name].url, formats }).tip(),
      ]),
    ),
    trongrid: () => trongrid && createTrongridApi({ http, ...trongrid }).block(),
    xrpl: () => xrpl && createXrpl({ http, url: xrpl.url }).head(),
    ...Object.fromEntries(
      COSMOS_NETWORKS.map(({ history: [name], cosmos }) => [
        name,
        () => sources[name] && createCosmos({ http, name, url: sources[name].url, ...cosmos }).head(),
      ]),
    ),
    'sui-graphql': () =>
      sources['sui-graphql'] && createSui({ http, url: sources['sui-graphql'].url }).head(),
    toncenter: () => toncenter && createToncenterApi({ http, ...toncenter }).newest(),
    koios: () => koios && createKoiosApi({ http, ...koios }).tip(),
    solana: () => solana && createSolanaRpc({ http, url: solana.url }).head(),
  }
}
