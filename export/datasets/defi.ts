import {
  bigint,
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
  block_number: bigint('As of which it was read'),
  block_hash: text('Its hash: another one after a reorg'),
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
      id: text('Its id in the API'),
      name: text('Its name'),
      url: text('Its site'),
      health_url: text('Page that explains the health rate; null: there is none'),
      position: integer('Order in lists'),
    },
  },
  {
    name: 'defi_deployments',
    family: 'DeFi',
    description: 'On which networks a protocol is read.',
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
    description: 'Positions of wallets in protocols; one that did not answer stays as it was before.',
    from: 'defi_positions',
    cut: null,
    sort: ['wallet_id', 'network_id', 'protocol_id', 'id'],
    columns: {
      wallet_id: bigint('wallets.id'),
      network_id: NETWORK,
      protocol_id: PROTOCOL,
      id: text('Market, contract or NFT, unique in its protocol on its network'),
      name: text('Its name'),
      pool_address: text('Of the contract'),
      health_rate: decimal(PRICE_PLACES, 'Liquidated below 1; null: no debt, or the protocol did not say'),
      unlock_at: instant('Null: not locked'),
      end_at: instant('Until when it can be taken out, once unlocked'),
      ...BLOCK,
      ...READ,
    },
  },
  {
    name: 'defi_assets',
    family: 'DeFi',
    description: 'What a position is made of.',
    from: 'defi_assets',
    cut: null,
    sort: ['wallet_id', 'network_id', 'protocol_id', 'position_id', 'seq'],
    columns: {
      wallet_id: bigint('wallets.id'),
      network_id: NETWORK,
      protocol_id: PROTOCOL,
      position_id: text('defi_positions.id'),
      seq: integer('Order in the position'),
      role: text('supplied, borrowed, staked, unclaimed, withdrawing or claimable'),
      token_address: text('Null: the native asset; its decimals are in tokens'),
      raw: decimal(0, 'Base units; borrowed: owed'),
      ...BLOCK,
      ...READ,
    },
  },
]
