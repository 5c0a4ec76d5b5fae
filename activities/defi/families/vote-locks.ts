import { type Hex, parseAbi } from 'viem'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { type Position, type Protocol, defineProtocol } from '../position.ts'

export interface VoteLock {
  name: string
  /** the escrow, lower case */
  escrow: string
  /** what is locked, lower case */
  token: string
}

const ESCROW_ABI = parseAbi(['function locked(address account) view returns (int128 amount, uint256 end)'])

/** Tokens locked for votes in an escrow of Curve's form: the amount, and until when. */
export function voteLocks(spec: { id: string; name: string; locks: ByNetwork<VoteLock> }): Protocol {
  const { locks: deployments, ...names } = spec
  return defineProtocol({
    ...names,
    family: 'Vote locks',
    deployments,
    async read({ reader, deployment, account }) {
      const { name, escrow, token } = deployment
      const [[raw, endS]] = await reader.read([contractAt(ESCROW_ABI, escrow)('locked', [account as Hex])])
      if (raw <= 0n) return { positions: [], unknown: [] }
      const unlockAt = new Date(Number(endS) * 1_000)
      const isOver = unlockAt <= reader.block.at
      const position: Position = {
        id: escrow,
        name,
        poolAddress: escrow,
        healthRate: null,
        unlockAt: isOver ? null : unlockAt,
        endAt: null,
        assets: [{ role: isOver ? 'claimable' : 'locked', token, raw }],
      }
      return { positions: [position], unknown: [] }
    },
  })
}
