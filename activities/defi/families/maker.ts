import { type Hex, hexToString, parseAbi, zeroAddress } from 'viem'
import { divide, formatDecimal, fromRaw } from '../../../db/values/decimal.ts'
import { SourceRejected } from '../../errors.ts'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { type Position, type Protocol, defineProtocol, nonZero } from '../position.ts'
import { readParts } from '../read-parts.ts'

/** Contracts of Maker, lower case. */
export interface MakerDeployment {
  /** DssCdpManager, which numbers the vaults */
  manager: string
  /** GetCdps, which lists the vaults of an owner */
  lists: string
  /** ProxyRegistry: the DSProxy of a wallet */
  proxies: string
  /** IlkRegistry: the token of each kind of collateral */
  collaterals: string
  /** Jug: the fees of debts */
  jug: string
  dai: string
}

const PROXIES_ABI = parseAbi(['function proxies(address owner) view returns (address)'])
const PROXY_ABI = parseAbi(['function owner() view returns (address)'])
const LISTS_ABI = parseAbi([
  'function getCdpsAsc(address manager, address owner) view returns (uint256[] ids, address[] urns, bytes32[] ilks)',
])
const MANAGER_ABI = parseAbi(['function vat() view returns (address)'])
const VAT_ABI = parseAbi([
  'function urns(bytes32 ilk, address urn) view returns (uint256 ink, uint256 art)',
  'function dai(address account) view returns (uint256)',
  'function ilks(bytes32 ilk) view returns (uint256 totalArt, uint256 rate, uint256 spot, uint256 line, uint256 dust)',
])
const COLLATERALS_ABI = parseAbi([
  'function gem(bytes32 ilk) view returns (address)',
  'function dec(bytes32 ilk) view returns (uint256)',
])
const JUG_ABI = parseAbi([
  'function base() view returns (uint256)',
  'function ilks(bytes32 ilk) view returns (uint256 duty, uint256 rho)',
])
const YEAR_SECONDS = 31_536_000n
const RAY = 10n ** 27n

interface Vault {
  /** number of the vault */
  id: string
  urn: Hex
  ilk: Hex
  isProxy: boolean
}

/**
 * Vaults of the account and of its DSProxy: collateral, and the DAI that repays the debt. The debt bears the fees that
 * Maker has collected up to the block (`drip`), as in every repayment. Vaults outside the manager are not read.
 */
export function maker(spec: { id: string; name: string; deployments: ByNetwork<MakerDeployment> }): Protocol {
  return defineProtocol({
    ...spec,
    family: 'Maker',
    async read({ reader, deployment, account }) {
      const vaults = await vaultsOf(reader, deployment, account as Hex)
      if (vaults.length === 0) return { positions: [], unknown: [] }
      const [vat] = await reader.read([contractAt(MANAGER_ABI, deployment.manager)('vat', [])])
      return await readParts(vaults, (vault) => readVault({ reader, deployment, vat, vault }))
    },
  })
}

async function vaultsOf(
  reader: BlockReader,
  { manager, lists, proxies }: MakerDeployment,
  account: Hex,
): Promise<Vault[]> {
  const [proxy] = await reader.read([contractAt(PROXIES_ABI, proxies)('proxies', [account])])
  const owners = [account, ...((await isOwner(reader, proxy, account)) ? [proxy] : [])]
  const found = await reader.read(
    owners.map((owner) => contractAt(LISTS_ABI, lists)('getCdpsAsc', [manager as Hex, owner])),
  )
  return found.flatMap(([ids, urns, ilks], i) =>
    ids.map((id, k) => ({ id: `${id}`, urn: urns[k]!, ilk: ilks[k]!, isProxy: i > 0 })),
  )
}

/** The registry still names the proxy that a wallet has given away. */
async function isOwner(reader: BlockReader, proxy: Hex, account: Hex): Promise<boolean> {
  if (proxy === zeroAddress) return false
  const [owner] = await reader.tryRead([contractAt(PROXY_ABI, proxy)('owner', [])])
  return owner?.toLowerCase() === account
}

async function readVault(input: {
  reader: BlockReader
  deployment: MakerDeployment
  vat: Hex
  vault: Vault
}): Promise<Position | null> {
  const { reader, deployment, vault } = input
  const { id, urn, ilk, isProxy } = vault
  const vat = contractAt(VAT_ABI, input.vat)
  const collaterals = contractAt(COLLATERALS_ABI, deployment.collaterals)
  const jug = contractAt(JUG_ABI, deployment.jug)
  const [[ink, art], [, rate, spot], kept, gem, decimals] = await reader.read([
    vat('urns', [ilk, urn]),
    vat('ilks', [ilk]),
    vat('dai', [urn]),
    collaterals('gem', [ilk]),
    collaterals('dec', [ilk]),
  ])
  if (ink + art === 0n) return null
  const kind = hexToString(ilk, { size: 32 })
  if (gem === zeroAddress) throw new SourceRejected(reader.source, `no token of ${kind} at Maker`)
  // The vat counts collateral with 18 decimals, and DAI with 45. What the vault has of DAI repays its debt.
  const debt = art * rate
  const owed = debt > kept ? debt - kept : 0n
  const fees = await reader.tryRead([jug('base', []), jug('ilks', [ilk])])
  const assets = nonZero([
    { role: 'supplied', token: gem.toLowerCase(), raw: ink / 10n ** (18n - decimals) },
    {
      role: 'borrowed',
      token: deployment.dai,
      raw: (owed + RAY - 1n) / RAY,
      aprPercent: percent(fees[0], fees[1]?.[0]),
    },
  ])
  if (assets.length === 0) return null
  return {
    id,
    name: `Vault ${id}, ${kind}`,
    poolAddress: urn.toLowerCase(),
    healthRate: healthRate({ debt, mayOwe: ink * spot, spot }),
    unlockAt: null,
    endAt: null,
    isProxy,
    assets,
  }
}

/** null: no debt, or a kind of collateral without a price, which Maker does not liquidate */
function healthRate({ debt, mayOwe, spot }: { debt: bigint; mayOwe: bigint; spot: bigint }): string | null {
  if (debt === 0n || spot === 0n) return null
  return formatDecimal(divide(fromRaw(mayOwe, 0), fromRaw(debt, 0), 18))
}

/** Fees of a second have 27 decimals; that of a kind of collateral begins at 1. */
const percent = (base: bigint | null, duty: bigint | undefined): string | null =>
  base === null || duty === undefined ? null : formatDecimal(fromRaw((base + duty - RAY) * YEAR_SECONDS, 25))
