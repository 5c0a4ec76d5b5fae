import {
  bigint,
  boolean,
  type Dataset,
  decimal,
  FETCHED_AT,
  instant,
  integer,
  PRICE_PLACES,
  SOURCE,
  text,
} from '../dataset.ts'

const NETWORK = text("The API's connectionId")
const PROTOCOL = text('defi_protocols.id')
const BLOCK = {
  block_number: bigint('Block at which it was read'),
  block_hash: text('Hash of the block; a reorg gives the number another hash'),
}
const READ = { source: SOURCE, fetched_at: FETCHED_AT }

export const defiDatasets: readonly Dataset[] = [
  {
    name: 'defi_protocols',
    family: 'DeFi',
    description: 'Protocols whose positions are read.',
    from: 'defi_protocols',
    cut: null,
    sort: ['id'],
    columns: {
      id: text('Id in the API'),
      name: text('Name of the protocol'),
      url: text('Website'),
      health_url: text('Page that explains the health rate; null: none'),
      position: integer('Order in lists'),
    },
  },
  {
    name: 'defi_deployments',
    family: 'DeFi',
    description: 'Networks on which a protocol is read.',
    from: 'defi_deployments',
    cut: null,
    sort: ['protocol_id', 'network_id'],
    columns: {
      protocol_id: PROTOCOL,
      network_id: NETWORK,
    },
  },
  {
    name: 'defi_positions',
    family: 'DeFi',
    description:
      'Positions of wallets in protocols. A position that did not answer keeps its earlier values.',
    from: 'defi_positions',
    cut: null,
    sort: ['wallet_id', 'network_id', 'protocol_id', 'id'],
    columns: {
      wallet_id: bigint('wallets.id'),
      network_id: NETWORK,
      protocol_id: PROTOCOL,
      id: text('Market, contract or NFT, unique in its protocol on its network'),
      name: text('Name of the position'),
      pool_address: text('Contract address'),
      health_rate: decimal(PRICE_PLACES, 'Liquidated below 1; null: no debt, or not given by the protocol'),
      unlock_at: instant('When withdrawal becomes possible; null: not locked, or unknown'),
      end_at: instant('End of the time for withdrawal, once unlocked'),
      is_proxy: boolean('A contract of the wallet, such as a DSProxy, holds it'),
      ...BLOCK,
      ...READ,
    },
  },
  {
    name: 'defi_assets',
    family: 'DeFi',
    description: 'Assets of the positions.',
    from: 'defi_assets',
    cut: null,
    sort: ['wallet_id', 'network_id', 'protocol_id', 'position_id', 'seq'],
    columns: {
      wallet_id: bigint('wallets.id'),
      network_id: NETWORK,
      protocol_id: PROTOCOL,
      position_id: text('defi_positions.id'),
      seq: integer('Order in the position'),
      role: text('supplied, borrowed, staked, locked, unclaimed, withdrawing or claimable'),
      token_address: text('Contract address, with decimals in tokens; null: the native asset'),
      raw: decimal(0, 'Base units; for role borrowed the amount owed'),
      apr_percent: decimal(
        PRICE_PLACES,
        'Interest in a year in percent, without interest on it; null: the protocol states none',
      ),
      ...BLOCK,
      ...READ,
    },
  },
  {
    name: 'defi_reads',
    family: 'DeFi',
    description: 'The last reading of the positions of a wallet.',
    from: 'defi_reads',
    cut: null,
    sort: ['wallet_id', 'network_id'],
    columns: {
      wallet_id: bigint('wallets.id'),
      network_id: text("The API's connectionId"),
      block_number: bigint('Block at which it was read; null: nothing answered yet'),
      block_hash: text('Hash of the block'),
      block_at: instant('Time of the block'),
      complete_at: instant('Last reading in which everything answered; null: none yet'),
      failed_at: instant('Time of the last attempt if nothing answered in it'),
      failure: text('What did not answer in the last attempt; null: everything answered'),
      source: SOURCE,
      fetched_at: FETCHED_AT,
    },
  },
]
