import fc from 'fast-check'
import {
  type Address,
  type Hex,
  encodeFunctionData,
  getAddress,
  maxUint256,
  parseAbi,
  stringToHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maker } from '../../activities/defi/families/maker.ts'
import type { Position, Protocol } from '../../activities/defi/position.ts'
import { type Deployed, ERC20 } from '../defi/published/protocol-chain.ts'
import { runs } from '../setup/runs.ts'
import { type MakerChain, startMakerChain } from './maker-chain.ts'

// The contracts that Maker deployed for tests, from @makerdao/testchain.

const KINDS = [
  { ilk: 'ETH-A', key: 'ETH', decimals: 18, unit: 10n ** 18n },
  { ilk: 'USDC-A', key: 'USDC', decimals: 6, unit: 1_000n * 10n ** 6n },
  { ilk: 'WBTC-A', key: 'WBTC', decimals: 8, unit: 10n ** 8n / 10n },
] as const
const ACCESS = ['Vat', 'Jug', 'Spotter', 'Cat', 'DssCdpManager', 'DssProxyActions'] as const
const OTHERS = ['ProxyRegistry', 'GemJoin5', 'DaiJoin', 'DSValue', 'WETH9_', 'IlkRegistry'] as const
/** DSProxy, without the other form of `execute` that it has. */
const PROXY = parseAbi([
  'function execute(address target, bytes data) payable returns (bytes32)',
  'function setOwner(address owner)',
])
const RAY = 10n ** 27n
let chain: MakerChain
let protocol: Protocol
let vat: Deployed
let jug: Deployed
let cat: Deployed
let spotter: Deployed
let manager: Deployed
let actions: Deployed
let daiJoin: Deployed
let dai: Deployed
let proxy: Deployed
const user = (): Address => getAddress(chain.users[0]!)
const other = (): Address => getAddress(chain.users[1]!)
const ilkOf = (kind: number): Hex => stringToHex(KINDS[kind]!.ilk, { size: 32 })
const joinOf = (kind: number) => chain.contract(`MCD_JOIN_${KINDS[kind]!.ilk.replace('-', '_')}`, 'GemJoin5')
const tokenOf = (kind: number): Deployed => ({ address: chain.at(KINDS[kind]!.key), abi: ERC20 })
const priceOf = (kind: number) => chain.contract(`VAL_${KINDS[kind]!.key}`, 'DSValue')

beforeAll(async () => {
  chain = await startMakerChain([...ACCESS, ...OTHERS])
  const { contract, at, write, ask } = chain
  vat = contract('MCD_VAT', 'Vat')
  jug = contract('MCD_JUG', 'Jug')
  cat = contract('MCD_CAT', 'Cat')
  spotter = contract('MCD_SPOT', 'Spotter')
  manager = contract('CDP_MANAGER', 'DssCdpManager')
  actions = contract('PROXY_ACTIONS', 'DssProxyActions')
  daiJoin = contract('MCD_JOIN_DAI', 'DaiJoin')
  dai = { address: at('MCD_DAI'), abi: ERC20 }
  const registry = contract('PROXY_REGISTRY', 'ProxyRegistry')
  await write(user(), registry, 'build', [])
  proxy = { address: await ask(user(), registry, 'proxies', [user()]), abi: PROXY }
  for (const account of [user(), other()]) {
    await write(account, contract('ETH', 'WETH9_'), 'deposit', [], 5_000n * 10n ** 18n)
    await write(account, vat, 'hope', [daiJoin.address])
    for (const kind of KINDS.keys())
      await write(account, tokenOf(kind), 'approve', [joinOf(kind).address, maxUint256])
  }
  for (const kind of [1, 2])
    await write(at('DEPLOYER'), tokenOf(kind), 'transfer', [user(), KINDS[kind]!.unit * 1_000n])
  await write(user(), dai, 'approve', [proxy.address, maxUint256])
  // Another account draws what the user's fees need.
  const rich = await open(other(), 0, { collateral: 4_000n * 10n ** 18n, dart: 100_000n * 10n ** 18n })
  await draw(rich, 100_000n * 10n ** 18n)
  await write(other(), dai, 'transfer', [user(), 100_000n * 10n ** 18n])
  protocol = maker({ id: 'x', name: 'X', deployments: { ethereum: deployment() } })
})
afterAll(() => chain.stop())

const deployment = () => {
  const at = (key: string) => chain.at(key).toLowerCase()
  return {
    manager: at('CDP_MANAGER'),
    lists: at('GET_CDPS'),
    proxies: at('PROXY_REGISTRY'),
    collaterals: at('ILK_REGISTRY'),
    jug: at('MCD_JUG'),
    dai: at('MCD_DAI'),
  }
}

interface Vault {
  cdp: bigint
  /** who pays for it and gets what it pays */
  of: Address
  /** of the manager: the account or its proxy */
  owner: Address
  kind: number
  urn: Address
}

const ask = <T>(of: Deployed, name: string, args: readonly unknown[]) => chain.ask<T>(user(), of, name, args)

/** A function of the manager by the owner of a vault; of a proxy by Maker's actions, which have the same names. */
async function manage({ owner, of }: Pick<Vault, 'owner' | 'of'>, name: string, args: readonly unknown[]) {
  if (owner === of) return chain.write(of, manager, name, args)
  return throughProxy(name, [manager.address, ...args])
}

const throughProxy = (name: string, args: readonly unknown[]) => {
  const data = encodeFunctionData({ abi: actions.abi, functionName: name, args })
  return chain.write(user(), proxy, 'execute', [actions.address, data])
}

async function open(
  owner: Address,
  kind: number,
  { collateral, dart }: { collateral: bigint; dart: bigint },
): Promise<Vault> {
  const of = owner === proxy?.address ? user() : owner
  await chain.write(of, manager, 'open', [ilkOf(kind), owner])
  const cdp = await ask<bigint>(manager, 'cdpi', [])
  const urn = await ask<Address>(manager, 'urns', [cdp])
  const vault = { cdp, of, owner, kind, urn }
  await lock(vault, collateral)
  await manage(vault, 'frob', [cdp, 0n, dart])
  return vault
}

async function lock(vault: Vault, amount: bigint): Promise<void> {
  const { kind, of, urn, cdp } = vault
  await chain.write(of, joinOf(kind), 'join', [urn, amount])
  await manage(vault, 'frob', [cdp, amount * 10n ** BigInt(18 - KINDS[kind]!.decimals), 0n])
}

/** Takes the DAI that a debt of `dart` brought into the vault. */
async function draw(vault: Vault, dart: bigint): Promise<void> {
  const [, rate] = await ask<readonly bigint[]>(vat, 'ilks', [ilkOf(vault.kind)])
  await manage(vault, 'move', [vault.cdp, vault.of, dart * rate!])
  await chain.write(vault.of, daiJoin, 'exit', [vault.of, (dart * rate!) / RAY])
}

const STEPS = [
  'open',
  'lock',
  'free',
  'dust',
  'draw',
  'wipe',
  'drip',
  'wait',
  'price',
  'unpriced',
  'give',
] as const
interface Step {
  name: (typeof STEPS)[number]
  kind: number
  part: number
  byProxy: boolean
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...STEPS),
  kind: fc.integer({ min: 0, max: KINDS.length - 1 }),
  part: fc.integer({ min: 1, max: 1_000 }),
  byProxy: fc.boolean(),
})

/** The vaults that the user or its proxy owns, as the manager states. */
async function owned(): Promise<Vault[]> {
  const vaults: Vault[] = []
  const last = await ask<bigint>(manager, 'cdpi', [])
  for (let cdp = 1n; cdp <= last; cdp++) {
    const owner = await ask<Address>(manager, 'owns', [cdp])
    if (owner !== user() && owner !== proxy.address) continue
    const ilk = await ask<Hex>(manager, 'ilks', [cdp])
    const urn = await ask<Address>(manager, 'urns', [cdp])
    const kind = [...KINDS.keys()].findIndex((one) => ilkOf(one) === ilk)
    vaults.push({ cdp, of: user(), owner, kind, urn })
  }
  return vaults
}

const held = (of: Deployed) => chain.ask<bigint>(user(), of, 'balanceOf', [user()])
const urnOf = ({ kind, urn }: Vault) => ask<readonly [bigint, bigint]>(vat, 'urns', [ilkOf(kind), urn])

async function step({ name, kind, part, byProxy }: Step): Promise<void> {
  const share = (raw: bigint) => (raw * BigInt(part)) / 1_001n
  const { unit } = KINDS[kind]!
  const owner = byProxy ? proxy.address : user()
  if (name === 'open') {
    const dart = BigInt(part) * 10n ** 18n
    return draw(await open(owner, kind, { collateral: share(unit * 100n), dart }), dart)
  }
  if (name === 'wait') return chain.wait(part * 40_000)
  if (name === 'drip') return chain.write(user(), jug, 'drip', [ilkOf(kind)])
  if (name === 'unpriced') {
    const what = stringToHex('spot', { size: 32 })
    return chain.write(chain.at('MCD_PAUSE_PROXY'), vat, 'file', [ilkOf(kind), what, 0n])
  }
  if (name === 'price') {
    const price = BigInt(await ask<Hex>(priceOf(kind), 'read', []))
    const next = (price * BigInt(part + 500)) / 1_000n
    const word: Hex = `0x${next.toString(16).padStart(64, '0')}`
    await chain.write(chain.at('DEPLOYER'), priceOf(kind), 'poke', [word])
    return chain.write(user(), spotter, 'poke', [ilkOf(kind)])
  }
  const vaults = await owned()
  const vault = vaults[part % Math.max(vaults.length, 1)]
  if (!vault) return
  if (name === 'give') return manage(vault, 'give', [vault.cdp, other()])
  if (name === 'lock') return lock(vault, share(KINDS[vault.kind]!.unit))
  const [ink, art] = await urnOf(vault)
  // Less than the token's smallest unit stays in the vault.
  if (name === 'dust') return manage(vault, 'frob', [vault.cdp, -BigInt(part), 0n])
  if (name === 'free') return manage(vault, 'frob', [vault.cdp, -share(ink), 0n])
  if (name === 'draw') {
    await manage(vault, 'frob', [vault.cdp, 0n, share(art)])
    return draw(vault, share(art))
  }
  // Maker's actions do not repay a debt that is smaller than what the vault has of DAI.
  if (art === 0n) return
  await chain.write(user(), dai, 'approve', [daiJoin.address, maxUint256])
  // More than the part of the debt: the rest stays in the vault.
  const [, rate] = await ask<readonly bigint[]>(vat, 'ilks', [ilkOf(vault.kind)])
  await chain.write(user(), daiJoin, 'join', [vault.urn, (share(art) * rate!) / RAY + 10n ** 18n])
  return manage(vault, 'frob', [vault.cdp, 0n, -share(art)])
}

describe('Maker vaults', () => {
  test('what the reader says is what a vault pays and takes, after any steps of its owner and of prices', async () => {
    const seen = new Set<string>()
    const property = fc.asyncProperty(fc.array(stepOf, { minLength: 1, maxLength: 10 }), async (steps) => {
      await chain.apart(async () => {
        const first = KINDS.map((_, kind): Step => ({ name: 'open', kind, part: 400, byProxy: kind !== 1 }))
        for (const one of [...first, ...steps]) await chain.attempt(() => step(one))
        for (const what of await compare()) seen.add(what)
      })
    })
    await fc.assert(property, { numRuns: runs({ short: 5, long: 60 }) })
    expect([...seen]).toEqual(expect.arrayContaining(['proxy', 'own', 'safe']))
  })

  test('a vault is below 1 when Maker liquidates it, and has no health without a price', async () => {
    const only = { kind: 0, part: 400, byProxy: true }
    const seen: string[][] = []
    await chain.apart(async () => {
      await step({ name: 'open', ...only })
      seen.push(await compare())
      await step({ name: 'price', ...only, part: 1 })
      // A price of a half, three times.
      for (let i = 0; i < 6; i++) await step({ name: 'price', ...only, part: 1 })
      seen.push(await compare())
      await step({ name: 'unpriced', ...only })
      seen.push(await compare())
    })
    expect(seen).toEqual([
      ['proxy', 'safe'],
      ['proxy', 'liquidated'],
      ['proxy', 'safe'],
    ])
  })

  test('vaults of a proxy that was given away are not the account’s', async () => {
    await chain.apart(async () => {
      await step({ name: 'open', kind: 0, part: 300, byProxy: true })
      await step({ name: 'open', kind: 0, part: 300, byProxy: false })
      expect((await chain.positions(protocol, user())).map(({ isProxy }) => isProxy)).toEqual([false, true])
      await chain.write(user(), proxy, 'setOwner', [other()])
      expect((await chain.positions(protocol, user())).map(({ isProxy }) => isProxy)).toEqual([false])
    })
  })

  test('a kind of collateral that has left the registry is unknown, with no amount', async () => {
    await chain.apart(async () => {
      await step({ name: 'open', kind: 1, part: 300, byProxy: true })
      const registry = chain.contract('ILK_REGISTRY', 'IlkRegistry')
      await chain.write(chain.at('DEPLOYER'), registry, 'removeAuth', [ilkOf(1)])
      await expect(chain.positions(protocol, user())).rejects.toThrow('no token of USDC-A')
    })
  })

  test('the rate of a debt is what its fees of a second make in a year', async () => {
    await chain.apart(async () => {
      await step({ name: 'open', kind: 0, part: 300, byProxy: false })
      const [position] = await chain.positions(protocol, user())
      const rate = async () => (await ask<readonly bigint[]>(vat, 'ilks', [ilkOf(0)]))[1]!
      await chain.write(user(), jug, 'drip', [ilkOf(0)])
      const [before, at] = [await rate(), await chain.nowS()]
      await chain.node.call('evm_setNextBlockTimestamp', at + 1)
      await chain.write(user(), jug, 'drip', [ilkOf(0)])
      const ofYear = Number((((await rate()) - before) * 31_536_000n * 10n ** 18n) / before) / 1e16
      expect(Number(position!.assets.find(({ role }) => role === 'borrowed')!.aprPercent)).toBeCloseTo(
        ofYear,
        9,
      )
    })
  })
})

/** Repays each debt, takes out the collateral, and undoes it. Returns what there was to compare. */
async function compare(): Promise<string[]> {
  const positions = await chain.positions(protocol, user())
  const vaults = await owned()
  const used = []
  for (const vault of vaults) {
    const [ink, art] = await urnOf(vault)
    if (ink / 10n ** BigInt(18 - KINDS[vault.kind]!.decimals) + art > 0n) used.push(vault)
  }
  const byNumber = (a: string, b: string) => Number(a) - Number(b)
  const numbers = positions.map(({ id }) => id).toSorted(byNumber)
  expect(numbers).toEqual(used.map(({ cdp }) => `${cdp}`))
  const seen: string[] = []
  for (const vault of used) seen.push(...(await compareVault(vault, positions)))
  return seen
}

async function compareVault(vault: Vault, positions: readonly Position[]): Promise<string[]> {
  const { cdp, kind, urn, owner } = vault
  const position = positions.find(({ id }) => id === `${cdp}`)!
  const rawOf = (role: string) => position.assets.find((asset) => asset.role === role)?.raw ?? 0n
  const isProxy = owner === proxy.address
  expect(position).toMatchObject({
    name: `Vault ${cdp}, ${KINDS[kind]!.ilk}`,
    poolAddress: urn.toLowerCase(),
    isProxy,
  })
  const tokens = position.assets.map(({ token }) => token)
  const [token, owed] = [chain.at(KINDS[kind]!.key), chain.at('MCD_DAI')].map((at) => at.toLowerCase())
  expect(tokens).toEqual([
    ...(rawOf('supplied') > 0n ? [token] : []),
    ...(rawOf('borrowed') > 0n ? [owed] : []),
  ])
  await chain.apart(async () => {
    const before = [await held(tokenOf(kind)), await held(dai)] as const
    if (!isProxy) await chain.write(user(), manager, 'cdpAllow', [cdp, proxy.address, 1n])
    const names = [manager.address, joinOf(kind).address, daiJoin.address]
    await throughProxy('wipeAllAndFreeGem', [...names, cdp, rawOf('supplied')])
    const after = [await held(tokenOf(kind)), await held(dai)] as const
    expect([after[0] - before[0], before[1] - after[1]]).toEqual([rawOf('supplied'), rawOf('borrowed')])
    const [ink, art] = await urnOf(vault)
    expect([ink / 10n ** BigInt(18 - KINDS[kind]!.decimals), art]).toEqual([0n, 0n])
  })
  let isLiquidated = false
  await chain.apart(async () => {
    await chain.attempt(async () => {
      await chain.write(other(), cat, 'bite', [ilkOf(kind), urn])
      isLiquidated = true
    })
  })
  expect(position.healthRate !== null && Number(position.healthRate) < 1).toBe(isLiquidated)
  return [isProxy ? 'proxy' : 'own', isLiquidated ? 'liquidated' : 'safe']
}
