import { bech32 } from '@scure/base'
import { keyDeposit, stakePool } from './actors.ts'
import type { Answer } from './koios.ts'
import { actionsOf, assetOf, blockOf, infoOf, sumOf, tokenOf } from './koios-rows.ts'
import { epochAt, epochStart, slotAt, touches } from './ledger.ts'
import type { CardanoChain, CardanoTx, Credit, Utxo } from './ledger.ts'
import type { Row } from './postgrest.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const texts = (value: unknown): string[] => {
  if (!Array.isArray(value)) throw new Error('malformed array literal')
  return value.map(String)
}
/** What decodes an address in the database fails for what is none. */
const stakesIn = (value: unknown): string[] =>
  texts(value).map((one) => {
    bech32.decode(one as `${string}1${string}`, 128)
    return one
  })

const listed = words('tx_hash epoch_no block_height block_time')
const held = words('policy_id asset_name fingerprint decimals quantity')

/** The functions that are called, as the definitions of their SQL and the specification name their columns. */
export function createAnswers(chain: CardanoChain, tip: number): Record<string, Answer> {
  const txs = chain.txs(tip)
  const now = chain.timeOf(tip)
  const credits = (stake: string): Credit[] =>
    chain.credits(stake).filter((one) => one.spendable <= epochAt(now))
  const withdrawn = (stake: string): bigint =>
    txs.flatMap((tx) => tx.withdrawals).reduce((sum, [of, raw]) => (of === stake ? sum + raw : sum), 0n)

  /** Newest first, as the functions list them. */
  const listOf = (found: readonly CardanoTx[], after: number): Row[] =>
    found
      .filter(({ block }) => block >= after)
      .toReversed()
      .map(({ hash, block }) => {
        const at = chain.timeOf(block)
        return { tx_hash: hash, epoch_no: epochAt(at), block_height: block, block_time: at }
      })
  const assetsOf = (all: readonly Utxo[]): Row[] => {
    const sums = new Map<string, bigint>()
    for (const [unit, raw] of all.flatMap(({ assets }) => assets))
      sums.set(unit, (sums.get(unit) ?? 0n) + raw)
    return [...sums].map(([unit, raw]) => assetOf(unit, raw))
  }

  return {
    tip: {
      method: 'GET',
      takes: [],
      columns: words('hash epoch_no era abs_slot epoch_slot block_height block_no block_time'),
      rows: () => [{ ...blockOf(chain, tip), era: 'Conway', block_no: tip }],
    },
    blocks: {
      method: 'GET',
      takes: [],
      columns: words(
        `hash epoch_no abs_slot epoch_slot block_height block_size block_time tx_count vrf_key pool proto_major
         proto_minor op_cert_counter parent_hash`,
      ),
      rows: (_, query) => namedBlocks(chain, { tip, query }).map((height) => blockOf(chain, height)),
    },
    epoch_info: {
      method: 'GET',
      takes: ['_epoch_no?', '_include_next_epoch?'],
      columns: words(
        `epoch_no era out_sum fees tx_count blk_count start_time end_time first_block_time last_block_time active_stake
         total_rewards avg_blk_reward`,
      ),
      rows: () =>
        heights(epochAt(chain.timeOf(chain.firstBlock)) + 1, epochAt(now)).map((epoch) => ({
          epoch_no: epoch,
          era: 'Conway',
          out_sum: '13947386811238377',
          fees: '98743262611',
          tx_count: 301_234,
          blk_count: 21_600,
          start_time: epochStart(epoch),
          end_time: epochStart(epoch + 1),
          first_block_time: chain.timeOf(chain.heightOf(epochStart(epoch))),
          last_block_time: Math.min(now, chain.timeOf(chain.heightOf(epochStart(epoch + 1)) - 1)),
          active_stake: '21837462837463827',
          total_rewards: '7463827364',
          avg_blk_reward: '374637462',
        })),
    },
    account_txs: {
      method: 'GET',
      takes: ['_stake_address', '_after_block_height?'],
      columns: listed,
      rows: ({ _stake_address: stake, _after_block_height: after = 0 }) => {
        const [of] = stakesIn([stake])
        return listOf(
          txs.filter((tx) => touches(tx, (one) => one.stake === of)),
          Number(after),
        )
      },
    },
    address_txs: {
      method: 'POST',
      takes: ['_addresses', '_after_block_height?'],
      columns: listed,
      rows: ({ _addresses: addresses, _after_block_height: after = 0 }) => {
        const of = new Set(texts(addresses))
        return listOf(
          txs.filter((tx) => touches(tx, (one) => of.has(one.address))),
          Number(after),
        )
      },
    },
    tx_info: {
      method: 'POST',
      takes: words(
        '_tx_hashes _inputs? _metadata? _assets? _withdrawals? _certs? _scripts? _bytecode? _governance?',
      ),
      columns: words(
        `tx_hash block_hash block_height epoch_no epoch_slot absolute_slot tx_timestamp tx_block_index tx_size
         total_output fee treasury_donation deposit invalid_before invalid_after valid_contract collateral_inputs
         collateral_output reference_inputs inputs outputs withdrawals assets_minted metadata certificates native_scripts
         plutus_contracts voting_procedures proposal_procedures`,
      ),
      rows: (args) => {
        const hashes = texts(args['_tx_hashes'])
        for (const hash of hashes)
          if (!/^([0-9a-f]{2})*$/.test(hash)) throw new Error('invalid hexadecimal digit')
        return txs.filter(({ hash }) => hashes.includes(hash)).map((tx) => infoOf(chain, tx, args))
      },
    },
    account_info: {
      method: 'POST',
      takes: ['_stake_addresses'],
      columns: words(
        `stake_address status delegated_pool delegated_drep total_balance utxo rewards withdrawals rewards_available
         deposit reserves treasury proposal_refund`,
      ),
      rows: ({ _stake_addresses: stakes }) =>
        stakesIn(stakes).flatMap((stake) => {
          if (!txs.some((tx) => touches(tx, (one) => one.stake === stake))) return []
          const isRegistered = chain.isRegistered(stake, tip)
          const utxo = sumOf(chain.unspent(tip).filter((one) => one.stake === stake))
          const [rewards, treasury] = (['member', 'treasury'] as const).map((type) =>
            credits(stake).reduce((sum, one) => (one.type === type ? sum + one.raw : sum), 0n),
          ) as [bigint, bigint]
          const available = rewards + treasury - withdrawn(stake)
          return {
            stake_address: stake,
            status: isRegistered ? 'registered' : 'not registered',
            delegated_pool: isRegistered ? stakePool : null,
            delegated_drep: null,
            total_balance: String(utxo + available),
            utxo: String(utxo),
            rewards: String(rewards),
            withdrawals: String(withdrawn(stake)),
            rewards_available: String(available),
            deposit: isRegistered ? String(keyDeposit) : '0',
            reserves: '0',
            treasury: String(treasury),
            proposal_refund: '0',
          }
        }),
    },
    account_assets: {
      method: 'POST',
      takes: ['_stake_addresses'],
      columns: ['stake_address', ...held],
      rows: ({ _stake_addresses: stakes }) =>
        stakesIn(stakes).flatMap((stake) =>
          assetsOf(chain.unspent(tip).filter((one) => one.stake === stake)).map((row) => ({
            stake_address: stake,
            ...row,
          })),
        ),
    },
    account_update_history: {
      method: 'POST',
      takes: ['_stake_addresses'],
      columns: words('stake_address action_type tx_hash epoch_no epoch_slot absolute_slot block_time'),
      rows: ({ _stake_addresses: stakes }) =>
        stakesIn(stakes).flatMap((stake) =>
          txs.toReversed().flatMap((tx) => {
            const at = chain.timeOf(tx.block)
            return actionsOf(tx, stake).map((action) => ({
              stake_address: stake,
              action_type: action,
              tx_hash: tx.hash,
              epoch_no: epochAt(at),
              epoch_slot: at - epochStart(epochAt(at)),
              absolute_slot: slotAt(at),
              block_time: at,
            }))
          }),
        ),
    },
    account_reward_history: {
      method: 'POST',
      takes: ['_stake_addresses', '_epoch_no?'],
      columns: words('stake_address earned_epoch spendable_epoch amount type pool_id_bech32'),
      rows: ({ _stake_addresses: stakes, _epoch_no: epoch }) =>
        stakesIn(stakes).flatMap((stake) =>
          chain
            .credits(stake)
            // Those of the next epoch are known before it begins.
            .filter(
              (one) => one.spendable <= epochAt(now) + 1 && (epoch === undefined || one.earned === epoch),
            )
            .map(({ earned, spendable, raw, type }) => ({
              stake_address: stake,
              earned_epoch: earned,
              spendable_epoch: spendable,
              amount: String(raw),
              type,
              pool_id_bech32: type === 'member' ? stakePool : null,
            })),
        ),
    },
    address_info: {
      method: 'POST',
      takes: ['_addresses'],
      columns: words('address balance stake_address script_address utxo_set'),
      rows: ({ _addresses: addresses }) =>
        texts(addresses).flatMap((address) => {
          const used = txs.flatMap(({ outputs }) => outputs).find((one) => one.address === address)
          if (!used) return []
          const unspent = chain.unspent(tip).filter((one) => one.address === address)
          return {
            address,
            balance: String(sumOf(unspent)),
            stake_address: used.stake,
            script_address: address.startsWith('addr1w'),
            utxo_set: unspent.map((one) => {
              const height = chain.tx(one.tx)!.block
              return {
                tx_hash: one.tx,
                tx_index: one.index,
                block_height: height,
                block_time: chain.timeOf(height),
                value: String(one.value),
                datum_hash: null,
                inline_datum: null,
                reference_script: null,
                asset_list: one.assets.map(([unit, raw]) => assetOf(unit, raw)),
              }
            }),
          }
        }),
    },
    address_assets: {
      method: 'POST',
      takes: ['_addresses'],
      columns: ['address', ...held],
      rows: ({ _addresses: addresses }) =>
        texts(addresses).flatMap((address) =>
          assetsOf(chain.unspent(tip).filter((one) => one.address === address)).map((row) => ({
            address,
            ...row,
          })),
        ),
    },
    asset_info: {
      method: 'POST',
      takes: ['_asset_list'],
      columns: words(
        `policy_id asset_name asset_name_ascii fingerprint minting_tx_hash total_supply mint_cnt burn_cnt creation_time
         minting_tx_metadata token_registry_metadata cip68_metadata`,
      ),
      rows: ({ _asset_list: list }) =>
        (list as [string, string][]).flatMap(([policy, name]): Row[] => {
          const row = tokenOf(policy + name)
          return row ? [row] : []
        }),
    },
  }
}

const heights = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** Of millions of blocks those that a filter names, or the newest or oldest. */
function namedBlocks(chain: CardanoChain, { tip, query }: { tip: number; query: URLSearchParams }): number[] {
  const numbersOf = (column: string) =>
    (/^in\.\((.*)\)$/.exec(query.get(column) ?? '')?.[1] ?? '').split(',').filter((one) => one !== '')
  const bySlot = numbersOf('abs_slot').map((slot) => chain.heightOf(Number(slot) - slotAt(0)))
  const named = [...numbersOf('block_height').map(Number), ...bySlot]
  const isAny = query.has('block_height') || query.has('abs_slot')
  const isRising = query.get('order')?.startsWith('block_height.asc') ?? false
  const some = isRising ? heights(chain.firstBlock, chain.firstBlock + 999) : heights(tip - 999, tip)
  const all = isAny ? [...new Set(named)].sort((a, b) => b - a) : some.toReversed()
  return all.filter((height) => height >= chain.firstBlock && height <= tip)
}
