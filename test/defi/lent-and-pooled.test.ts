import { type Address, type Hex, stringToHex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { maker } from '../../activities/defi/families/maker.ts'
import { stargate } from '../../activities/defi/families/stargate.ts'
import { type Answer, startAnsweringChain } from './answering-contracts.ts'
import { assetsOf } from './published/protocol-chain.ts'

// Vaults of Maker and pools of Stargate with contracts that answer as the real ones do. test/oracles meets these.

const { chain, user, contract, token } = await startAnsweringChain()
const [ETHER, RAY] = [10n ** 18n, 10n ** 27n]
const lower = (address: Address) => address.toLowerCase() as Address

interface VaultSeed {
  id: bigint
  kind: string
  /** collateral and debt in the units of the vat */
  ink: bigint
  art: bigint
  /** of DAI in the vat, with 45 decimals */
  kept?: bigint
}

const SPOT = 3n * RAY
/** The debt of each unit that was drawn has grown by 10%. */
const RATE = (11n * RAY) / 10n

/** Contracts of Maker. `proxy`: the DSProxy in the registry. */
async function makerWith(input: {
  own: readonly VaultSeed[]
  ofProxy?: readonly VaultSeed[]
  proxy?: Address
  hasFees?: boolean
  spot?: bigint
}) {
  const { own, ofProxy = [], proxy = zeroAddress, hasFees = true, spot = SPOT } = input
  const gem = await token([])
  const ilkOf = (kind: string): Hex => stringToHex(kind, { size: 32 })
  const urnOf = (id: bigint) => `0x${(0xabc00n + id).toString(16).padStart(40, '0')}` as Address
  const all = [...own, ...ofProxy]
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  const vat = await contract([
    ...all.flatMap(({ id, kind, ink, art, kept = 0n }): Answer[] => [
      [
        'urns(bytes32 ilk, address urn) view returns (uint256, uint256)',
        [ilkOf(kind), urnOf(id)],
        [ink, art],
      ],
      ['dai(address account) view returns (uint256)', [urnOf(id)], [kept]],
    ]),
    ...kinds.map((kind): Answer => [
      'ilks(bytes32 ilk) view returns (uint256, uint256, uint256, uint256, uint256)',
      [ilkOf(kind)],
      [0n, RATE, spot, 0n, 0n],
    ]),
  ])
  const manager = await contract([['vat() view returns (address)', [], [vat]]])
  const list = (owner: Address, vaults: readonly VaultSeed[]): Answer => [
    'getCdpsAsc(address manager, address owner) view returns (uint256[], address[], bytes32[])',
    [manager, owner],
    [vaults.map(({ id }) => id), vaults.map(({ id }) => urnOf(id)), vaults.map(({ kind }) => ilkOf(kind))],
  ]
  const deployment = {
    manager,
    lists: await contract([list(user, own), ...(proxy === zeroAddress ? [] : [list(proxy, ofProxy)])]),
    proxies: await contract([['proxies(address owner) view returns (address)', [user], [proxy]]]),
    collaterals: await contract(
      kinds.flatMap((kind): Answer[] => [
        ['gem(bytes32 ilk) view returns (address)', [ilkOf(kind)], [kind === 'GONE' ? zeroAddress : gem]],
        ['dec(bytes32 ilk) view returns (uint256)', [ilkOf(kind)], [kind === 'WBTC-A' ? 8n : 18n]],
      ]),
    ),
    jug: await contract(
      hasFees
        ? [
            ['base() view returns (uint256)', [], [RAY / 10n ** 9n]],
            ...kinds.map((kind): Answer => [
              'ilks(bytes32 ilk) view returns (uint256, uint256)',
              [ilkOf(kind)],
              [RAY + RAY / 10n ** 9n, 0n],
            ]),
          ]
        : [],
    ),
    dai: await token([]),
  }
  return {
    gem,
    deployment,
    urnOf,
    protocol: maker({ id: 'x', name: 'X', deployments: { ethereum: deployment } }),
  }
}

const ETH_VAULT: VaultSeed = { id: 7n, kind: 'ETH-A', ink: 2n * ETHER, art: 2n * ETHER }

test('Maker: collateral, the DAI that repays a debt with its fees, and the health', async () => {
  const { gem, deployment, urnOf, protocol } = await makerWith({ own: [ETH_VAULT] })
  const [vault] = await chain.positions(protocol, user)
  expect(vault).toEqual({
    id: '7',
    name: 'Vault 7, ETH-A',
    poolAddress: urnOf(7n),
    // It may owe 6 DAI, and owes 2.2.
    healthRate: '2.727272727272727273',
    unlockAt: null,
    endAt: null,
    isProxy: false,
    assets: [
      { role: 'supplied', token: lower(gem), raw: 2n * ETHER },
      // Two fees of a billionth in a second, for a year.
      { role: 'borrowed', token: deployment.dai, raw: 2_200_000_000_000_000_000n, aprPercent: '6.3072' },
    ],
  })
})

test('Maker: what a vault has of DAI repays its debt, the rest is rounded up, and its collateral has its decimals', async () => {
  const own = [
    { ...ETH_VAULT, id: 1n, kept: 2n * ETHER * RATE - 1n },
    { ...ETH_VAULT, id: 2n, kept: 2n * ETHER * RATE },
    { ...ETH_VAULT, id: 3n, kept: 3n * ETHER * RATE },
    { id: 4n, kind: 'WBTC-A', ink: 5n * ETHER + 1n, art: 0n },
  ]
  const { gem, deployment, protocol } = await makerWith({ own })
  const positions = await chain.positions(protocol, user)
  const collateral = ['supplied', lower(gem), 2n * ETHER]
  expect(positions.map((one) => assetsOf([one]))).toEqual([
    [collateral, ['borrowed', deployment.dai, 1n]],
    [collateral],
    [collateral],
    [['supplied', lower(gem), 500_000_000n]],
  ])
  // No debt.
  expect(positions.at(-1)!.healthRate).toBe(null)
})

test('Maker: empty vaults are none, one that is only a debt is, and so small a collateral that its token has none is not', async () => {
  const own = [
    { id: 1n, kind: 'ETH-A', ink: 0n, art: 0n },
    { id: 2n, kind: 'ETH-A', ink: 0n, art: ETHER },
    { id: 3n, kind: 'WBTC-A', ink: 1n, art: 0n },
  ]
  const { deployment, protocol } = await makerWith({ own })
  expect(assetsOf(await chain.positions(protocol, user))).toEqual([
    ['borrowed', deployment.dai, 1_100_000_000_000_000_000n],
  ])
  expect(await chain.positions((await makerWith({ own: [] })).protocol, user)).toEqual([])
})

test('Maker: no fee is stated where the jug does not answer, and no health of a kind without a price', async () => {
  const { protocol } = await makerWith({ own: [ETH_VAULT], hasFees: false, spot: 0n })
  const [vault] = await chain.positions(protocol, user)
  expect(vault).toMatchObject({ healthRate: null, assets: [{ role: 'supplied' }, { aprPercent: null }] })
})

test('Maker: a kind of collateral without a token leaves only its vault unknown', async () => {
  const { protocol } = await makerWith({ own: [ETH_VAULT, { ...ETH_VAULT, id: 8n, kind: 'GONE' }] })
  await expect(chain.positions(protocol, user)).rejects.toThrow('no token of GONE at Maker')
})

test('Maker: vaults of a proxy belong to the account that still owns it', async () => {
  const ofProxy = [{ ...ETH_VAULT, id: 9n }]
  const idsWith = async (owner: Address | null) => {
    const owned: Answer[] = owner === null ? [] : [['owner() view returns (address)', [], [owner]]]
    const { protocol } = await makerWith({ own: [ETH_VAULT], ofProxy, proxy: await contract(owned) })
    return (await chain.positions(protocol, user)).map(({ id, isProxy }) => `${id} ${isProxy}`)
  }
  expect(await idsWith(user)).toEqual(['7 false', '9 true'])
  expect(await idsWith(chain.users[1]!)).toEqual(['7 false'])
  expect(await idsWith(null)).toEqual(['7 false'])
})

/** A pool of Stargate whose token has 18 decimals, of which all networks share 6. */
async function pool(input: { held: bigint; asset: Address; decimals?: number }) {
  const { held, asset, decimals = 18 } = input
  const liquidity = await contract([
    ['balanceOf(address owner) view returns (uint256)', [user], [held]],
    ['decimals() view returns (uint8)', [], [decimals]],
  ])
  const at = await contract([
    ['lpToken() view returns (address)', [], [liquidity]],
    ['token() view returns (address)', [], [asset]],
    ['sharedDecimals() view returns (uint8)', [], [6]],
  ])
  return { at, liquidity }
}

/** What is staked of liquidity tokens, and where its rewards are; null: nowhere. */
const stakingOf = (of: readonly { liquidity: Address; staked: bigint; rewarder: Address | null }[]) =>
  contract(
    of.flatMap(({ liquidity, staked, rewarder }): Answer[] => [
      ['balanceOf(address token, address user) view returns (uint256)', [liquidity, user], [staked]],
      ['rewarder(address token) view returns (address)', [liquidity], [rewarder ?? zeroAddress]],
    ]),
  )
const rewarderOf = (liquidity: Address, tokens: Address[], amounts: bigint[]) =>
  contract([
    [
      'getRewards(address token, address user) view returns (address[], uint256[])',
      [liquidity, user],
      [tokens, amounts],
    ],
  ])

test('Stargate: liquidity in hand and staked redeems whole shared units, with rewards', async () => {
  const [usd, stg] = [await token([]), await token([])]
  const native = await pool({ held: ETHER + 999_999_999_999n, asset: zeroAddress })
  const dollars = await pool({ held: 5n, asset: usd, decimals: 6 })
  const waiting = await pool({ held: 0n, asset: usd })
  const unused = await pool({ held: 0n, asset: usd })
  const without = await pool({ held: 0n, asset: usd })
  const staking = await stakingOf([
    {
      liquidity: native.liquidity,
      staked: 2n * 10n ** 12n + 1n,
      rewarder: await rewarderOf(native.liquidity, [stg, zeroAddress], [4n, 6n]),
    },
    { liquidity: dollars.liquidity, staked: 0n, rewarder: null },
    { liquidity: waiting.liquidity, staked: 0n, rewarder: await rewarderOf(waiting.liquidity, [stg], [8n]) },
    { liquidity: unused.liquidity, staked: 0n, rewarder: await rewarderOf(unused.liquidity, [stg], [0n]) },
    { liquidity: without.liquidity, staked: 10n ** 12n, rewarder: null },
  ])
  const pools = [native, dollars, waiting, unused, without]
  const deployment = { staking, pools: pools.map(({ at }) => at) }
  const protocol = stargate({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
  const positions = await chain.positions(
    protocol,
    user,
    pools.map(({ liquidity }) => liquidity),
  )
  expect(positions.map((one) => [one.id, ...assetsOf([one])])).toEqual([
    [
      native.at,
      ['supplied', null, ETHER],
      ['staked', null, 2n * 10n ** 12n],
      ['unclaimed', lower(stg), 4n],
      ['unclaimed', null, 6n],
    ],
    [dollars.at, ['supplied', lower(usd), 5n]],
    [waiting.at, ['unclaimed', lower(stg), 8n]],
    [without.at, ['staked', lower(usd), 10n ** 12n]],
  ])
  expect(positions[0]).toMatchObject({ name: 'Liquidity', poolAddress: native.at, healthRate: null })
})

test('Stargate: where nothing is staked only what is held counts, above the smallest unit', async () => {
  const usd = await token([])
  const [some, dust] = [
    await pool({ held: ETHER, asset: usd }),
    await pool({ held: 10n ** 12n - 1n, asset: usd }),
  ]
  const deployment = { staking: null, pools: [some.at, dust.at] }
  const protocol = stargate({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
  const positions = await chain.positions(protocol, user, [some.liquidity, dust.liquidity])
  expect(assetsOf(positions)).toEqual([['supplied', lower(usd), ETHER]])
})
