import { type Hex, parseAbi } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { type PositionAsset, type Protocol, defineProtocol, openPosition } from '../position.ts'

/** Contracts of GMX, lower case. */
export interface GmxDeployment {
  gmx: string
  /** escrowed GMX, which becomes GMX in a vester */
  esGmx: string
  /** StakedGmxTracker, which holds what is staked and pays esGMX */
  stakes: string
  /** trackers of the same stake that pay fees */
  fees: readonly string[]
  vesters: readonly string[]
}

const TRACKER_ABI = parseAbi([
  'function depositBalances(address account, address token) view returns (uint256)',
  'function claimable(address account) view returns (uint256)',
  'function rewardToken() view returns (address)',
])
const VESTER_ABI = parseAbi([
  'function getTotalVested(address account) view returns (uint256)',
  'function claimedAmounts(address account) view returns (uint256)',
  'function claimable(address account) view returns (uint256)',
])

/**
 * Staked GMX with the fees that it earned and the GMX that a vester pays, and escrowed GMX: staked, earned, and what is
 * left in each vester. Escrowed GMX is apart, because it has no market and so no price.
 */
export function gmx(spec: { id: string; name: string; deployments: ByNetwork<GmxDeployment> }): Protocol {
  return defineProtocol({
    ...spec,
    family: 'GMX staking',
    async read({ reader, deployment, account }) {
      const { gmx: token, esGmx, stakes } = deployment
      const user = account as Hex
      const tracker = contractAt(TRACKER_ABI, stakes)
      const [[staked, escrowed, earned], fees, vesting] = await Promise.all([
        reader.read([
          tracker('depositBalances', [user, token as Hex]),
          tracker('depositBalances', [user, esGmx as Hex]),
          tracker('claimable', [user]),
        ]),
        readFees(reader, deployment.fees, user),
        Promise.all(deployment.vesters.map((vester) => readVester(reader, vester, user))),
      ])
      const positions = [
        openPosition({
          id: stakes,
          name: 'Staked GMX',
          assets: [
            { role: 'staked', token, raw: staked },
            ...vesting.map(({ claimable }) => ({ role: 'claimable', token, raw: claimable }) as const),
            ...fees,
          ],
        }),
        openPosition({
          id: `${stakes}:${esGmx}`,
          name: 'Staked esGMX',
          poolAddress: stakes,
          assets: [
            { role: 'staked', token: esGmx, raw: escrowed },
            { role: 'unclaimed', token: esGmx, raw: earned },
          ],
        }),
        ...vesting.map(({ vester: id, left }) =>
          openPosition({ id, name: 'Vesting esGMX', assets: [{ role: 'locked', token: esGmx, raw: left }] }),
        ),
      ]
      return { positions: positions.filter((one) => one !== null), unknown: [] }
    },
  })
}

async function readFees(
  reader: BlockReader,
  trackers: readonly string[],
  user: Hex,
): Promise<PositionAsset[]> {
  return await Promise.all(
    trackers.map(async (one) => {
      const tracker = contractAt(TRACKER_ABI, one)
      const [raw, token] = await reader.read([tracker('claimable', [user]), tracker('rewardToken', [])])
      return { role: 'unclaimed', token: token.toLowerCase(), raw } as const
    }),
  )
}

/** `left`: esGMX that has not become GMX; a withdrawal pays it back. */
async function readVester(reader: BlockReader, vester: string, user: Hex) {
  const of = contractAt(VESTER_ABI, vester)
  const [total, claimed, claimable] = await reader.read([
    of('getTotalVested', [user]),
    of('claimedAmounts', [user]),
    of('claimable', [user]),
  ])
  return { vester, claimable, left: total - claimed - claimable }
}
