import type pg from 'pg'
import { ownAddresses } from '../../db/chain/wallet-accounts.ts'
import { insertTokens, majorSymbols, newTokens, reclassifyTokens, tokenFacts } from '../../db/chain/tokens.ts'
import type { TokenFacts } from '../../db/chain/tokens.ts'
import { transact } from '../../db/transact.ts'
import type { TokenMetadata } from '../rpc-contracts.ts'
import { foldSymbol, spamReason } from './spam.ts'
import type { WalletSource } from './wallet-source.ts'

const TOKENS_PER_BATCH = 50

/**
 * Asks the contracts of a wallet's new tokens what they are, maps tokens to coins by contract address (never by
 * symbol), and marks spam. A token that is known by now, or no longer spam, has its transactions derived anew.
 */
export async function identifyTokens(
  deps: { pool: pg.Pool; source: WalletSource; now: () => Date; onProgress: () => void },
  input: { networkId: string; blockchain: string; address: string },
): Promise<{ tokens: number; reclassified: number }> {
  const { pool, source } = deps
  const { networkId, blockchain } = input
  const addresses = await ownAddresses(pool, input)
  const unknown = await newTokens(pool, { networkId, addresses })
  const answers: TokenMetadata[] = []
  for (let i = 0; i < unknown.length; i += TOKENS_PER_BATCH) {
    answers.push(...(await source.readTokens(unknown.slice(i, i + TOKENS_PER_BATCH))))
    deps.onProgress()
  }
  // Nobody sees a token before its verdict; one that another wallet brought meanwhile may have been derived from.
  return transact(pool, async ({ client }) => {
    const origin = { networkId, blockchain, source: source.name, fetchedAt: deps.now() }
    const inserted = new Set(await insertTokens(client, { ...origin, tokens: answers }))
    const majors = new Set((await majorSymbols(client)).map(foldSymbol))
    const tokens = (await tokenFacts(client, { networkId, addresses })).flatMap((facts) => {
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
  // One wallet may have bought what another one was sent among many: the first verdict stands until the token is known.
  const receivers = facts.spam_reason === 'multisend' ? Infinity : facts.receivers
  const known = facts.known_coin_id !== null || facts.priced
  return {
    coinId: facts.known_coin_id ?? `${facts.address}_${world.blockchain}`,
    spamReason: spamReason({ symbol, name, known, receivers, isNft: facts.is_nft }, world.majors),
  }
}
