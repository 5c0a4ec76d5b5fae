import type pg from 'pg'
import { batchesOf } from '../../db/values/batches.ts'
import {
  insertTokens,
  majorSymbols,
  reclassifyTokens,
  tokenFacts,
  unknownTokens,
  usedTokens,
} from '../../db/chain/tokens.ts'
import type { TokenFacts } from '../../db/chain/tokens.ts'
import type { TokenUse } from '../../db/chain/wallet-raw.ts'
import { ownAddresses } from '../../db/chain/sync-progress.ts'
import { transact } from '../../db/transact.ts'
import type { ChainToken } from './chain-data.ts'
import { foldSymbol, spamReason } from './spam.ts'
import type { WalletSource } from './wallet-source.ts'

const TOKENS_PER_BATCH = 50

interface IdentifyDeps {
  pool: pg.Pool
  source: WalletSource
  now: () => Date
  onProgress: () => void
}

/** Identifies all tokens of a wallet. */
export async function identifyTokens(
  deps: IdentifyDeps,
  input: { networkId: string; blockchain: string; address: string },
): Promise<{ tokens: number; reclassified: number }> {
  const { networkId, blockchain } = input
  const addresses = await ownAddresses(deps.pool, input)
  const used = await usedTokens(deps.pool, { networkId, addresses })
  return await identifyUsed(deps, { networkId, blockchain, used })
}

/**
 * Reads the metadata of unknown tokens, maps tokens to coins by contract address (never by symbol), and marks
 * spam. When a token's coin or spam verdict changes, its transactions are derived again.
 */
export async function identifyUsed(
  deps: IdentifyDeps,
  { networkId, blockchain, used }: { networkId: string; blockchain: string; used: readonly TokenUse[] },
): Promise<{ tokens: number; reclassified: number }> {
  const { pool, source } = deps
  if (used.length === 0) return { tokens: 0, reclassified: 0 }
  const unknown = await unknownTokens(pool, { networkId, addresses: used.map(({ address }) => address) })
  const answers: ChainToken[] = []
  for (const asked of batchesOf(unknown, TOKENS_PER_BATCH)) {
    answers.push(...(await source.readTokens(asked)))
    deps.onProgress()
  }
  // A token is served only after its verdict. If another wallet inserted it meanwhile, its rows may be
  // derived already.
  return transact(pool, async ({ client }) => {
    const origin = { networkId, blockchain, source: source.name, fetchedAt: deps.now() }
    const inserted = new Set(await insertTokens(client, { ...origin, tokens: answers }))
    const majors = new Set((await majorSymbols(client)).map(foldSymbol))
    const tokens = (await tokenFacts(client, { networkId, tokens: used })).flatMap((facts) => {
      const { address } = facts
      const next = judge(facts, { blockchain, majors })
      const isSame = next.coinId === facts.coin_id && next.spamReason === facts.spam_reason
      return isSame ? [] : [{ address, ...next, isNew: inserted.has(address) }]
    })
    if (tokens.length > 0) await reclassifyTokens(client, { networkId, tokens })
    return { tokens: unknown.length, reclassified: tokens.length }
  })
}

function judge(facts: TokenFacts, world: { blockchain: string; majors: ReadonlySet<string> }) {
  const { symbol, name } = facts
  // One wallet may have bought a token that another got in a multisend: the first verdict stands until it is
  // known.
  const receivers = facts.spam_reason === 'multisend' ? Infinity : facts.receivers
  const known = facts.known_coin_id !== null || facts.priced
  return {
    coinId: facts.known_coin_id ?? `${facts.address}_${world.blockchain}`,
    spamReason: spamReason({ symbol, name, known, receivers, isNft: facts.is_nft }, world.majors),
  }
}
