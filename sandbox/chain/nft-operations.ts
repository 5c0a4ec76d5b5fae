import { hashText } from '../market/noise.ts'
import { operator, spammer, wallets, type Address } from './actors.ts'
import { call } from './calls.ts'
import { createRandom, type Random } from './random.ts'
import { tokenOf, type NetworkId, type SandboxToken } from './tokens.ts'
import type { World } from './world.ts'

const ether = 10n ** 18n
const day = 86_400
/** Amount that a wallet keeps for gas. */
const reserveWei = ether / 10n
const mintedIds = 12
const rounds = 60

type Story = {
  world: World
  random: Random
  /** Owner of each token of an ERC-721 contract, by contract and id. */
  owners: Map<string, Map<bigint, Address>>
  /** Copies held of ERC-1155 tokens, by contract, id and owner. */
  copies: Map<string, bigint>
}

const ledgerOf = ({ world }: Story, { network }: SandboxToken) => world.chains[network].ledger
const copiesKey = (token: SandboxToken, id: bigint, owner: Address) => `${token.address} ${id} ${owner}`

function send(
  story: Story,
  token: SandboxToken,
  tx: { at: number; from: Address; data: `0x${string}`; valueWei?: bigint },
): void {
  const { at, ...rest } = tx
  ledgerOf(story, token).send(at, { kind: 'nft', to: token.address, gas: 250_000n, ...rest })
}

const canPay = (story: Story, token: SandboxToken, who: Address, wei: bigint): boolean =>
  ledgerOf(story, token).balance(who, 'ETH') > wei + reserveWei

/** The operator mints a token to a wallet. */
function mint(story: Story, token: SandboxToken, to: Address, at: number): void {
  const owned = story.owners.get(token.address) ?? new Map<bigint, Address>()
  story.owners.set(token.address, owned)
  const id = BigInt(owned.size + 1)
  owned.set(id, to)
  send(story, token, { at, from: operator, data: call('Nft', 'mint', [to, id]) })
}

/** A token changes hands as a gift or a sale. */
function passOn(story: Story, token: SandboxToken, to: Address, at: number): void {
  const { random } = story
  const offered = [...(story.owners.get(token.address) ?? [])].filter(([, owner]) => owner !== to)
  if (offered.length === 0) return mint(story, token, to, at)
  const [id, owner] = random.pick(offered)
  const priceWei = (BigInt(20 + random.integer(60)) * ether) / 1000n
  if (random.chance(0.5) && canPay(story, token, to, priceWei))
    send(story, token, { at, from: to, valueWei: priceWei, data: call('Nft', 'buy', [id]) })
  else if (canPay(story, token, owner, 0n))
    send(story, token, { at, from: owner, data: call('Nft', 'transferFrom', [owner, to, id]) })
  else return
  story.owners.get(token.address)!.set(id, to)
}

function addCopies(story: Story, token: SandboxToken, id: bigint, owner: Address, count: bigint): void {
  const key = copiesKey(token, id, owner)
  story.copies.set(key, (story.copies.get(key) ?? 0n) + count)
}

/** Copies of ERC-1155 tokens: minted, or moved as one id or a batch of ids. */
function moveCopies(story: Story, token: SandboxToken, who: Address, at: number): void {
  const { random, copies } = story
  const ids = Array.from({ length: mintedIds }, (_, i) => BigInt(i + 1))
  const held = ids.filter((id) => (copies.get(copiesKey(token, id, who)) ?? 0n) > 0n)
  const to = random.pick(wallets.filter(({ address }) => address !== who)).address
  if (held.length === 0 || random.chance(0.4) || !canPay(story, token, who, 0n)) {
    const id = random.pick(ids)
    const count = BigInt(1 + random.integer(40))
    addCopies(story, token, id, who, count)
    return send(story, token, { at, from: operator, data: call('MultiNft', 'mint', [who, id, count]) })
  }
  const moved = (random.chance(0.5) ? held.slice(0, 1) : held).map((id) => {
    const all = copies.get(copiesKey(token, id, who))!
    return { id, count: random.chance(0.3) ? all : (all + 1n) / 2n }
  })
  for (const { id, count } of moved) {
    addCopies(story, token, id, who, -count)
    addCopies(story, token, id, to, count)
  }
  const [one] = moved
  const data =
    moved.length === 1
      ? call('MultiNft', 'safeTransferFrom', [who, to, one!.id, one!.count, '0x'])
      : call('MultiNft', 'safeBatchTransferFrom', [
          who,
          to,
          moved.map(({ id }) => id),
          moved.map(({ count }) => count),
          '0x',
        ])
  send(story, token, { at, from: who, data })
}

/** Sends every wallet a worthless token whose name is an advertisement. */
function sendSpam({ world }: Story, at: number): void {
  const { address } = tokenOf('ethereum', 'SPAMNFT')
  const data = call('Nft', 'mintMany', [wallets.map((w) => w.address), 1n])
  world.chains.ethereum.ledger.send(at, { kind: 'spam', from: spammer, to: address, data, gas: 1_500_000n })
}

/**
 * Schedules the story of the NFT collections: mints, gifts, sales, single and batch transfers. It uses its
 * own random stream, so it does not change the story of the coins.
 */
export function planCollections(world: World, genesis: number): void {
  const { market } = world
  const random = createRandom(hashText(market.seed, 'collections'))
  const story: Story = { world, random, owners: new Map(), copies: new Map() }
  const singles = ['LOCK', 'TIDE', 'FOG', 'LOCK'].map((key) => tokenOf('ethereum', key))
  const multiples = (['ethereum', 'base-wallet'] as NetworkId[]).map((network) =>
    tokenOf(network, network === 'ethereum' ? 'STAMP' : 'PASS'),
  )
  for (let round = 0; round < rounds; round++) {
    const at = Math.floor(market.anchor - (360 - round * 5.9) * day)
    const run = (when: number): void => {
      const active = wallets.filter((w) => when >= genesis + w.activeFromDay * day)
      const who = random.pick(active).address
      if (round % 3 === 2) return moveCopies(story, random.pick(multiples), who, when)
      const token = random.pick(singles)
      return random.chance(0.45) ? mint(story, token, who, when) : passOn(story, token, who, when)
    }
    world.later.push({ at, run })
  }
  world.later.push({ at: market.anchor - 150 * day, run: (at) => sendSpam(story, at) })
}
