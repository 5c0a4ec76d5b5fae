import { bech32 } from '@scure/base'
import { cardanoTokens, hashOf, keyDeposit, stakePool } from './actors.ts'
import { epochAt, epochStart, slotAt } from './ledger.ts'
import type { CardanoChain, CardanoTx, Certificate, Utxo } from './ledger.ts'
import type { Row } from './postgrest.ts'

export const sumOf = (all: readonly { value: bigint }[]): bigint =>
  all.reduce((sum, { value }) => sum + value, 0n)

export function blockOf(chain: CardanoChain, height: number): Row {
  const at = chain.timeOf(height)
  return {
    hash: chain.hashAt(height),
    epoch_no: epochAt(at),
    abs_slot: slotAt(at),
    epoch_slot: at - epochStart(epochAt(at)),
    block_height: height,
    block_size: 3_512,
    block_time: at,
    tx_count: 3,
    vrf_key: 'vrf_vk18x0e7dx8j37gdxftnn8ru6jcxs7n6acdazc4ykeda2ygjwg9a7ls7ns699',
    pool: stakePool,
    proto_major: 10,
    proto_minor: 0,
    op_cert_counter: 7,
    parent_hash: chain.hashAt(height - 1),
  }
}

const fingerprintOf = (unit: string): string =>
  bech32.encode('asset', bech32.toWords(Buffer.from(hashOf(`fingerprint ${unit}`), 'hex').subarray(0, 20)))

export function assetOf(unit: string, raw: bigint): Row {
  return {
    policy_id: unit.slice(0, 56),
    asset_name: unit.slice(56),
    fingerprint: fingerprintOf(unit),
    decimals: cardanoTokens.find((one) => one.unit === unit)?.registered?.decimals ?? 0,
    quantity: String(raw),
  }
}

export function tokenOf(unit: string): Row | null {
  const token = cardanoTokens.find((one) => one.unit === unit)
  if (!token) return null
  const { policy, assetName, registered } = token
  return {
    policy_id: policy,
    asset_name: assetName,
    asset_name_ascii: Buffer.from(assetName, 'hex').toString('ascii'),
    fingerprint: fingerprintOf(unit),
    minting_tx_hash: hashOf(`minting ${unit}`),
    total_supply: '1000000000000',
    mint_cnt: 1,
    burn_cnt: 0,
    creation_time: 1_640_000_000,
    minting_tx_metadata: null,
    token_registry_metadata: registered && { ...registered, description: 'sandbox', url: null, logo: null },
    cip68_metadata: null,
  }
}

/** What a transaction does to a stake address. */
export const actionsOf = ({ certificates, withdrawals }: CardanoTx, stake: string): string[] => [
  ...certificates.filter((one) => one.stake === stake).map(({ type }) => ACTIONS[type]),
  ...withdrawals.filter(([of]) => of === stake).map(() => 'withdrawal'),
]
const ACTIONS: Record<Certificate['type'], string> = {
  stake_registration: 'registration',
  stake_deregistration: 'deregistration',
  pool_delegation: 'delegation_pool',
}

/** The database groups the rows of inputs and outputs, in no order. */
const grouped = (all: readonly Utxo[], withAssets: boolean): Row[] =>
  all.toReversed().map((one) => ({
    payment_addr: { bech32: one.address, cred: hashOf(`credential ${one.address}`).slice(0, 56) },
    stake_addr: one.stake,
    tx_hash: one.tx,
    tx_index: one.index,
    value: String(one.value),
    datum_hash: null,
    inline_datum: null,
    reference_script: null,
    asset_list: withAssets ? one.assets.map(([unit, raw]) => assetOf(unit, raw)) : [],
  }))

export function infoOf(chain: CardanoChain, tx: CardanoTx, args: Record<string, unknown>): Row {
  const is = (name: string): boolean => args[name] === true
  const at = chain.timeOf(tx.block)
  const withAssets = is('_assets')
  return {
    tx_hash: tx.hash,
    block_hash: chain.hashAt(tx.block),
    block_height: tx.block,
    epoch_no: epochAt(at),
    epoch_slot: at - epochStart(epochAt(at)),
    absolute_slot: slotAt(at),
    tx_timestamp: at,
    tx_block_index: 3,
    tx_size: 391,
    total_output: String(sumOf(tx.outputs)),
    fee: String(tx.fee),
    treasury_donation: '0',
    deposit: String(tx.deposit),
    invalid_before: null,
    invalid_after: String(slotAt(at) + 3_600),
    valid_contract: tx.isValid,
    collateral_inputs: is('_inputs') ? grouped(tx.collateral, withAssets) : [],
    collateral_output: null,
    reference_inputs: [],
    inputs: is('_inputs') ? grouped(tx.inputs, withAssets) : [],
    outputs: grouped(tx.outputs, withAssets),
    withdrawals: is('_withdrawals')
      ? tx.withdrawals.map(([stake, raw]) => ({ amount: String(raw), stake_addr: stake }))
      : [],
    assets_minted: withAssets ? tx.minted.map(([unit, raw]) => assetOf(unit, raw)) : [],
    metadata: null,
    certificates: is('_certs') ? tx.certificates.map(certificateOf) : [],
    native_scripts: [],
    plutus_contracts: [],
    voting_procedures: [],
    proposal_procedures: [],
  }
}

/** The end of a registration does not tell what is given back. */
const certificateOf = ({ type, stake }: Certificate, index: number): Row => ({
  index,
  type,
  info: {
    stake_address: stake,
    ...(type === 'stake_registration' && { deposit: String(keyDeposit) }),
    ...(type === 'pool_delegation' && {
      pool_id_bech32: stakePool,
      pool_id_hex: Buffer.from(bech32.fromWords(bech32.decode(stakePool as `pool1${string}`).words)).toString(
        'hex',
      ),
    }),
  },
})
