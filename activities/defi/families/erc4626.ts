import { type Abi, parseAbi } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import type { HeldToken } from '../held-tokens.ts'
import { OPEN, type Position, type Protocol, type ProtocolReading, defineProtocol } from '../position.ts'

/** Vaults of a protocol on a network: those listed, and those that one of its factories says that it made. */
export interface Vaults {
  /** lower case */
  listed?: readonly string[]
  factories?: readonly VaultFactory[]
}

export interface VaultFactory {
  address: string
  /** its function that takes an address and says whether it made the vault there */
  knows: 'isMetaMorpho' | 'isVaultV2' | 'isProxy'
}

const VAULT_ABI = parseAbi([
  'function asset() view returns (address)',
  'function name() view returns (string)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
])
const factoryAbi = (knows: VaultFactory['knows']): Abi =>
  parseAbi([`function ${knows}(address vault) view returns (bool)`] as [string])

/**
 * Vaults by ERC-4626 whose shares the account holds: the assets that its shares redeem. Any contract can claim to be a
 * vault of any asset, so an interface alone is not enough: the vault must be listed, or be known to a listed factory.
 */
export function erc4626(spec: { id: string; name: string; deployments: ByNetwork<Vaults> }): Protocol {
  return defineProtocol({
    ...spec,
    family: 'ERC-4626',
    async read({ reader, deployment, held }) {
      const shares = await vaultsAmong(reader, deployment, await held())
      return await readVaults(reader, shares)
    },
  })
}

async function vaultsAmong(
  reader: BlockReader,
  { listed = [], factories = [] }: Vaults,
  held: readonly HeldToken[],
): Promise<HeldToken[]> {
  const known = held.filter(({ token }) => listed.includes(token))
  const others = held.filter(({ token }) => !listed.includes(token))
  if (factories.length === 0 || others.length === 0) return known
  const assets = await reader.tryRead(others.map(({ token }) => contractAt(VAULT_ABI, token)('asset', [])))
  const vaults = others.filter((_, i) => assets[i] !== null)
  const made = await Promise.all(
    factories.map(({ address, knows }) =>
      reader.read(vaults.map(({ token }) => contractAt(factoryAbi(knows), address)(knows, [token]))),
    ),
  )
  return [...known, ...vaults.filter((_, i) => made.some((answers) => answers[i] === true))]
}

async function readVaults(reader: BlockReader, shares: readonly HeldToken[]): Promise<ProtocolReading> {
  const reads = shares.map(({ token, raw }) => {
    const vault = contractAt(VAULT_ABI, token)
    return { facts: [vault('asset', []), vault('name', [])] as const, raw: [raw] as const, vault }
  })
  const [facts, redeemed, converted] = await Promise.all([
    Promise.all(reads.map(({ facts: asked }) => reader.tryRead(asked))),
    reader.tryRead(reads.map(({ vault, raw }) => vault('previewRedeem', raw))),
    reader.tryRead(reads.map(({ vault, raw }) => vault('convertToAssets', raw))),
  ])
  const reading: ProtocolReading = { positions: [], unknown: [] }
  shares.forEach(({ token: id }, i) => {
    const [asset, name] = facts[i]!
    // A vault that pays redemptions later has no preview.
    const raw = redeemed[i] ?? converted[i] ?? null
    if (asset === null || raw === null) reading.unknown.push({ id, reason: `vault ${id} does not answer` })
    else if (raw > 0n) reading.positions.push(position({ id, name, asset: asset.toLowerCase(), raw }))
  })
  return reading
}

function position(vault: { id: string; name: string | null; asset: string; raw: bigint }): Position {
  const { id, name, asset: token, raw } = vault
  return { id, name: name || 'Vault', poolAddress: id, ...OPEN, assets: [{ role: 'supplied', token, raw }] }
}
