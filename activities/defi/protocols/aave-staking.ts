import { parseAbi } from 'viem'
import { contractAt } from '../contract-at.ts'
import { STAKED_AAVE } from '../deployments/lending.ts'
import { defineProtocol, nonZero } from '../position.ts'

const STAKED_ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function STAKED_TOKEN() view returns (address)',
  'function REWARD_TOKEN() view returns (address)',
  'function getTotalRewardsBalance(address) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
  'function stakersCooldowns(address) view returns (uint40 timestamp, uint216 amount)',
  'function getCooldownSeconds() view returns (uint256)',
  'function UNSTAKE_WINDOW() view returns (uint256)',
])

/** Staked AAVE: the amount that its shares redeem, and the withdrawal window of a started cooldown. */
export const aaveStaking = defineProtocol({
  id: 'aave-staking',
  name: 'Aave Staking',
  family: 'Aave staking',
  deployments: STAKED_AAVE,
  async read({ reader, deployment, account }) {
    const staked = contractAt(STAKED_ABI, deployment)
    const owner = account as `0x${string}`
    const [shares, rewards] = await reader.read([
      staked('balanceOf', [owner]),
      staked('getTotalRewardsBalance', [owner]),
    ])
    if (shares === 0n && rewards === 0n) return { positions: [], unknown: [] }
    const [raw, token, rewardToken, [startedS], cooldownS, windowS] = await reader.read([
      staked('previewRedeem', [shares]),
      staked('STAKED_TOKEN', []),
      staked('REWARD_TOKEN', []),
      staked('stakersCooldowns', [owner]),
      staked('getCooldownSeconds', []),
      staked('UNSTAKE_WINDOW', []),
    ])
    const unlockAt = new Date((startedS + Number(cooldownS)) * 1_000)
    const endAt = new Date(unlockAt.getTime() + Number(windowS) * 1_000)
    // An unused cooldown has no effect once its window is over.
    const cools = startedS > 0 && endAt >= reader.block.at
    const assets = nonZero([
      { role: 'staked', token: token.toLowerCase(), raw },
      { role: 'unclaimed', token: rewardToken.toLowerCase(), raw: rewards },
    ])
    const position = {
      id: deployment,
      name: 'Staked AAVE',
      poolAddress: deployment,
      healthRate: null,
      unlockAt: cools ? unlockAt : null,
      endAt: cools ? endAt : null,
      assets,
    }
    return { positions: [position], unknown: [] }
  },
})
