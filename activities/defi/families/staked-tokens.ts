import { type Abi, parseAbi } from 'viem'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { OPEN, type Position, type Protocol, type ProtocolReading, defineProtocol } from '../position.ts'

/** A token that stands for a growing amount of another one, by the function of its own contract. */
export interface StakedToken {
  name: string
  /** contract, lower case */
  token: string
  /** null: the native coin */
  underlying: string | null
  /**
   * Function that turns an amount of the token into one of the underlying; or, without an argument, the amount of
   * one token, with 18 decimals; null: one for one, as with tokens whose balance grows
   */
  rate: { amount: string } | { ofOne: string } | null
}

const ONE = 10n ** 18n

/** Staked tokens that the account holds, in the coin that they stand for. */
export function stakedTokens(spec: {
  id: string
  name: string
  tokens: ByNetwork<readonly StakedToken[]>
}): Protocol {
  const { tokens: deployments, ...names } = spec
  return defineProtocol({
    ...names,
    family: 'Staked tokens',
    deployments,
    async read({ reader, deployment, held }) {
      const all = await held()
      const reading: ProtocolReading = { positions: [], unknown: [] }
      for (const row of deployment) {
        const shares = all.find(({ token }) => token === row.token)
        if (!shares) continue
        const raw = await amountOf(row, shares.raw)
        if (raw === null)
          reading.unknown.push({ id: row.token, reason: `rate of ${row.name} does not answer` })
        else if (raw > 0n) reading.positions.push(position(row, raw))
      }
      return reading

      async function amountOf({ token, rate }: StakedToken, amount: bigint): Promise<bigint | null> {
        if (rate === null) return amount
        const [abi, name, args] =
          'amount' in rate
            ? [functionOf(`${rate.amount}(uint256)`), rate.amount, [amount]]
            : [functionOf(`${rate.ofOne}()`), rate.ofOne, []]
        const [answer] = (await reader.tryRead([contractAt(abi, token)(name, args)])) as [bigint | null]
        return answer === null || 'amount' in rate ? answer : (amount * answer) / ONE
      }
    },
  })
}

const functionOf = (signature: string): Abi =>
  parseAbi([`function ${signature} view returns (uint256)`] as [string])

const position = ({ token, name, underlying }: StakedToken, raw: bigint): Position => ({
  id: token,
  name,
  poolAddress: token,
  ...OPEN,
  assets: [{ role: 'staked', token: underlying, raw }],
})
