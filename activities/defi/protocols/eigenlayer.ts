import { type Hex, parseAbi } from 'viem'
import { contractAt } from '../contract-at.ts'
import { EIGENLAYER } from '../deployments/staking.ts'
import { OPEN, defineProtocol, nonZero } from '../position.ts'
import { readParts } from '../read-parts.ts'

const MANAGER_ABI = parseAbi([
  'function getDeposits(address staker) view returns (address[] strategies, uint256[] shares)',
])
const DELEGATION_ABI = parseAbi([
  'function getWithdrawableShares(address staker, address[] strategies) view returns (uint256[] withdrawable, uint256[] deposited)',
])
const STRATEGY_ABI = parseAbi([
  'function underlyingToken() view returns (address)',
  'function sharesToUnderlyingView(uint256 shares) view returns (uint256)',
])

/** Restaked tokens, after slashing. Withdrawals that wait and ether of validators are not read. */
export const eigenlayer = defineProtocol({
  id: 'eigenlayer',
  name: 'EigenLayer',
  family: 'EigenLayer',
  deployments: EIGENLAYER,
  async read({ reader, deployment, account }) {
    const staker = account as Hex
    const { strategyManager, delegationManager } = deployment
    const [[strategies]] = await reader.read([
      contractAt(MANAGER_ABI, strategyManager)('getDeposits', [staker]),
    ])
    if (strategies.length === 0) return { positions: [], unknown: [] }
    const [[shares]] = await reader.read([
      contractAt(DELEGATION_ABI, delegationManager)('getWithdrawableShares', [staker, strategies]),
    ])
    const parts = strategies.map((at, i) => ({ id: at.toLowerCase(), raw: shares[i]! }))
    return await readParts(parts, async ({ id, raw }) => {
      const strategy = contractAt(STRATEGY_ABI, id)
      const [token, amount] = await reader.read([
        strategy('underlyingToken', []),
        strategy('sharesToUnderlyingView', [raw]),
      ])
      const assets = nonZero([{ role: 'staked', token: token.toLowerCase(), raw: amount }])
      return assets.length === 0 ? null : { id, name: 'Restaked', poolAddress: id, ...OPEN, assets }
    })
  },
})
