import { parseAbi } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import { LIDO } from '../deployments/staking.ts'
import type { LidoContracts } from '../deployments/staking.ts'
import { OPEN, defineProtocol, nonZero } from '../position.ts'
import type { Position } from '../position.ts'
import { readParts } from '../read-parts.ts'

type Address = `0x${string}`

const TOKEN_ABI = parseAbi(['function balanceOf(address account) view returns (uint256)'])
const WRAPPED_ABI = parseAbi(['function getStETHByWstETH(uint256 amount) view returns (uint256)'])
const QUEUE_ABI = parseAbi([
  'struct Status { uint256 amountOfStETH; uint256 amountOfShares; address owner; uint256 timestamp; bool isFinalized; bool isClaimed; }',
  'function getWithdrawalRequests(address owner) view returns (uint256[])',
  'function getWithdrawalStatus(uint256[] ids) view returns (Status[])',
  'function getLastCheckpointIndex() view returns (uint256)',
  'function findCheckpointHints(uint256[] ids, uint256 first, uint256 last) view returns (uint256[])',
  'function getClaimableEther(uint256[] ids, uint256[] hints) view returns (uint256[])',
])

interface Input {
  reader: BlockReader
  contracts: LidoContracts
  account: Address
}

/**
 * Staked ether, plain and wrapped (in stETH, which grows by rebasing), and pending withdrawals (in ether).
 */
export const lido = defineProtocol({
  id: 'lido',
  name: 'Lido',
  family: 'Lido',
  deployments: LIDO,
  read({ reader, deployment: contracts, account }) {
    const input = { reader, contracts, account: account as Address }
    const parts = [
      { id: contracts.stEth, read: readStaked },
      { id: contracts.wstEth, read: readWrapped },
      { id: contracts.withdrawalQueue, read: readWithdrawals },
    ]
    return readParts(parts, ({ read }) => read(input))
  },
})

async function readStaked({ reader, contracts, account }: Input): Promise<Position | null> {
  const { stEth } = contracts
  const [raw] = await reader.read([contractAt(TOKEN_ABI, stEth)('balanceOf', [account])])
  return raw === 0n ? null : stakedPosition({ id: stEth, name: 'Staked ETH', stEth, raw })
}

async function readWrapped({ reader, contracts, account }: Input): Promise<Position | null> {
  const { stEth, wstEth } = contracts
  const [wrapped] = await reader.read([contractAt(TOKEN_ABI, wstEth)('balanceOf', [account])])
  if (wrapped === 0n) return null
  const [raw] = await reader.read([contractAt(WRAPPED_ABI, wstEth)('getStETHByWstETH', [wrapped])])
  return stakedPosition({ id: wstEth, name: 'Wrapped staked ETH', stEth, raw })
}

function stakedPosition(input: { id: string; name: string; stEth: string; raw: bigint }): Position {
  const { id, name, stEth, raw } = input
  return { id, name, poolAddress: id, ...OPEN, assets: [{ role: 'staked', token: stEth, raw }] }
}

/**
 * Withdrawal requests. A request is paid once it is finalised; the chain gives no time for that, so
 * `unlockAt` is null. Until then it is listed with the requested amount, the most that it can get.
 */
async function readWithdrawals({ reader, contracts, account }: Input): Promise<Position | null> {
  const { withdrawalQueue } = contracts
  const queue = contractAt(QUEUE_ABI, withdrawalQueue)
  const [requests] = await reader.read([queue('getWithdrawalRequests', [account])])
  if (requests.length === 0) return null
  const ids = requests.toSorted((a, b) => (a < b ? -1 : 1))
  const [statuses, lastCheckpoint] = await reader.read([
    queue('getWithdrawalStatus', [ids]),
    queue('getLastCheckpointIndex', []),
  ])
  const waiting = statuses.filter(({ isFinalized }) => !isFinalized)
  const finalised = ids.filter((_, i) => statuses[i]!.isFinalized && !statuses[i]!.isClaimed)
  const claimable = await readClaimable({ reader, withdrawalQueue, finalised, lastCheckpoint })
  const assets = nonZero([
    ...waiting.map(({ amountOfStETH: raw }) => ({ role: 'withdrawing' as const, token: null, raw })),
    ...claimable.map((raw) => ({ role: 'claimable' as const, token: null, raw })),
  ])
  if (assets.length === 0) return null
  return { id: withdrawalQueue, name: 'Withdrawal requests', poolAddress: withdrawalQueue, ...OPEN, assets }
}

/**
 * Wei that each request pays, less than requested after a slashing. `finalised` must be in ascending order.
 */
async function readClaimable(input: {
  reader: BlockReader
  withdrawalQueue: string
  finalised: readonly bigint[]
  lastCheckpoint: bigint
}): Promise<readonly bigint[]> {
  const { reader, finalised, lastCheckpoint } = input
  if (finalised.length === 0) return []
  const queue = contractAt(QUEUE_ABI, input.withdrawalQueue)
  const [hints] = await reader.read([queue('findCheckpointHints', [finalised, 1n, lastCheckpoint])])
  const [amounts] = await reader.read([queue('getClaimableEther', [finalised, hints])])
  return amounts
}
