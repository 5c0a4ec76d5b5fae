import { formatUnits } from 'viem'
import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import { nonZero, OPEN, type Position, type PositionAsset } from '../position.ts'
import { readParts } from '../read-parts.ts'
import { decodeAccount, keyBytes, readAccount } from './codecs.ts'
import { accrued, ceil, floor, liquidityOf, type Reserve, wordsOf } from './kamino-interest.ts'
import { lendingMarket, OBLIGATION_BYTES, obligation, OWNER_OFFSET, reserve } from './kamino-layout.ts'
import type { SolanaProtocol } from './protocol.ts'
import type { ChainAccount, SlotReader } from './slot-reader.ts'
import { NO_MINT, tokenOf } from './token-account.ts'

/** https://kamino.com/docs/build-on-kamino/resources */
export const KAMINO_LEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
const PROGRAMS = [KAMINO_LEND]
const HEALTH_DIGITS = 18

/**
 * Obligations of the account in all markets. The program keeps one account for each of its users, without which nobody
 * has an obligation, so that nothing is listed for others.
 */
export const kaminoLend: SolanaProtocol = {
  id: 'kamino-lend',
  name: 'Kamino Lend',
  family: 'Kamino Lend',
  networks: ['solana'],
  async read({ reader, account }) {
    const [user] = await reader.accounts([
      await reader.derived(KAMINO_LEND, ['user_meta', keyBytes(account)]),
    ])
    if (user?.owner !== KAMINO_LEND) return { positions: [], unknown: [] }
    const found = await reader.accountsWith({
      program: KAMINO_LEND,
      size: OBLIGATION_BYTES,
      key: account,
      offset: OWNER_OFFSET,
    })
    const parts = found
      .map((one) => ({ id: one.address, account: one }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return await readParts(parts, (part) => readObligation(part.account, reader))
  },
}

async function readObligation(account: ChainAccount, reader: SlotReader): Promise<Position | null> {
  const { address: id } = account
  const state = decodeAccount(account, { address: id, programs: PROGRAMS, codec: obligation })
  const deposits = state.deposits.filter(({ reserve: of, amount }) => of !== NO_MINT && amount > 0n)
  const borrows = state.borrows.filter(({ reserve: of, amountSf }) => of !== NO_MINT && amountSf > 0n)
  const readReserve = (one: { reserve: string }) =>
    readAccount(reader, { address: one.reserve, programs: PROGRAMS, codec: reserve })
  const [market, supplied, borrowed] = await Promise.all([
    readAccount(reader, { address: state.lendingMarket, programs: PROGRAMS, codec: lendingMarket }),
    Promise.all(deposits.map(readReserve)),
    Promise.all(borrows.map(readReserve)),
  ])
  const slot = BigInt(reader.block.number)
  const { elevationGroup } = state
  const group = elevationGroup === 0 ? null : market.elevationGroups.find((one) => one.id === elevationGroup)
  if (group === undefined) throw new SourceRejected(SOLANA, `${id} is in no elevation group of its market`)
  const supplies = deposits.map(({ amount }, i) => {
    const of = supplied[i]!
    const sf = liquidityOf(amount, of, accrued(of, slot).supply)
    return { of, sf, weight: group?.liquidationThresholdPct ?? of.liquidationThresholdPct }
  })
  const debts = borrows.map(({ amountSf, cumulativeRate }, i) => {
    const of = borrowed[i]!
    const sf = (amountSf * accrued(of, slot).cumulativeRate) / wordsOf(cumulativeRate)
    return { of, sf, weight: group ? 100 : Number(of.borrowFactorPct) }
  })
  const assets = nonZero([
    ...supplies.map(({ of, sf }) => assetOf('supplied', of, floor(sf))),
    ...debts.map(({ of, sf }) => assetOf('borrowed', of, ceil(sf))),
  ])
  if (assets.length === 0) return null
  const debt = sum(debts.map(weighed))
  const healthRate =
    debt === 0n
      ? null
      : formatUnits((sum(supplies.map(weighed)) * 10n ** BigInt(HEALTH_DIGITS)) / debt, HEALTH_DIGITS)
  return {
    ...OPEN,
    id,
    name: market.name.trim() || 'Lending',
    poolAddress: state.lendingMarket,
    healthRate,
    assets,
  }
}

const assetOf = (role: 'supplied' | 'borrowed', { mint }: Reserve, raw: bigint): PositionAsset => ({
  role,
  token: tokenOf(mint),
  raw,
})

/** Precision of a sum of tokens of different decimals. */
const MOST_DECIMALS = 24n

/** Value at the reserve's price that counts for or against liquidation. */
const weighed = ({ of, sf, weight }: { of: Reserve; sf: bigint; weight: number }): bigint =>
  (sf * of.priceSf * BigInt(weight) * 10n ** MOST_DECIMALS) / 10n ** of.mintDecimals

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
