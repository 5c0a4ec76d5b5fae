import type { SandboxFill } from './fill-market.ts'
import type { PredictionWorld, SandboxMarket } from './prediction-world.ts'
import { conditionOf, marketSlug, tokenOf } from './polymarket-ids.ts'
import { numberOf, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

/** Fields without a value are null in version 2, and several have other names. */
function rowOfV2(row: Record<string, unknown>): Record<string, unknown> {
  const renamed = Object.entries({ ...row, tokenId: row['asset'] })
    .filter(([name]) => name !== 'asset')
    .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value || null])
  return Object.fromEntries(renamed)
}

/**
 * The Data API: fills newest first, by offset or (version 2) by cursor, by default of takers only; holders; open
 * interest.
 */
export function createPolymarketData({ markets: { polymarket: markets } }: PredictionWorld): Upstream {
  const byCondition = new Map(markets.map((market) => [conditionOf(market), market]))

  function tradeRow(market: SandboxMarket, { trader, at, txHash, side, outcome, price, size }: SandboxFill) {
    const { proxyWallet, name, pseudonym, bio, profileImage } = trader
    return {
      proxyWallet,
      side,
      asset: tokenOf(market, outcome),
      conditionId: conditionOf(market),
      size,
      price,
      timestamp: at,
      title: market.question,
      slug: marketSlug(market),
      icon: '',
      eventSlug: '',
      outcome: market.outcomes[outcome],
      outcomeIndex: outcome,
      name,
      pseudonym,
      bio,
      profileImage,
      profileImageOptimized: '',
      transactionHash: txHash,
    }
  }

  function balances(market: SandboxMarket, now: number) {
    const held = [new Map<string, number>(), new Map<string, number>()]
    const people = new Map(market.fills().map(({ trader }) => [trader.proxyWallet, trader]))
    for (const { at, trader, side, outcome, size } of market.fills()) {
      if (at > now) break
      const own = held[outcome]!
      const balance = (own.get(trader.proxyWallet) ?? 0) + (side === 'BUY' ? size : -size)
      own.set(trader.proxyWallet, Math.max(balance, 0))
      // A sale without a purchase comes from a split, which leaves the other outcome.
      if (balance < 0)
        held[1 - outcome]!.set(
          trader.proxyWallet,
          (held[1 - outcome]!.get(trader.proxyWallet) ?? 0) - balance,
        )
    }
    return held.map((own) =>
      [...own]
        .filter(([, shares]) => shares > 0.01)
        .toSorted(([, a], [, b]) => b - a)
        .map(([wallet, shares]) => ({ trader: people.get(wallet)!, shares: Number(shares.toFixed(6)) })),
    )
  }

  /** Cursors hold the row number and the size of a page. */
  function newestByCursor(query: URLSearchParams, now: number): UpstreamReply {
    if (query.has('offset')) return { status: 400, body: { error: 'unknown query parameter: offset' } }
    const [from = 0, limit = numberOf(query, 'limit', { or: 100, max: 1_000 })] = Buffer.from(
      query.get('cursor') ?? '',
      'base64url',
    )
      .toString()
      .split(' ')
      .filter((text) => text !== '')
      .map(Number)
    const market = byCondition.get(query.get('condition') ?? '')
    const takersOnly = query.get('taker_only') !== 'false'
    const fills = (market?.fills() ?? [])
      .filter(({ at, taker, size }) => at <= now && size >= 0.01 && (taker || !takersOnly))
      .toReversed()
    const more = from + limit < fills.length
    return ok({
      data: fills.slice(from, from + limit).map((fill) => rowOfV2(tradeRow(market!, fill))),
      pagination: {
        limit,
        offset: 0,
        has_more: more,
        next_cursor: more ? Buffer.from(`${from + limit} ${limit}`).toString('base64url') : null,
      },
    })
  }

  return ({ path, query, now }) => {
    const wanted = (query.get('market') ?? '').split(',')
    const market = byCondition.get(wanted[0]!)
    if (path[0] === 'trades') {
      const limit = numberOf(query, 'limit', { or: 100, max: 500 })
      const offset = numberOf(query, 'offset', { or: 0, max: Infinity })
      if (offset > 3_000)
        return { status: 400, body: { error: 'max historical activity offset of 3000 exceeded' } }
      const takersOnly = query.get('takerOnly') !== 'false'
      const fills = (market?.fills() ?? []).filter(({ at, taker }) => at <= now && (taker || !takersOnly))
      return ok(
        fills
          .toReversed()
          .slice(offset, offset + limit)
          .map((fill) => tradeRow(market!, fill)),
      )
    }
    if (path.join('/') === 'v2/trades') return newestByCursor(query, now)
    if (path[0] === 'holders') {
      if (!market) return ok([])
      const limit = numberOf(query, 'limit', { or: 20, max: 20 })
      return ok(
        balances(market, now).map((list, outcome) => ({
          token: tokenOf(market, outcome),
          holders: list.slice(0, limit).map(({ trader, shares }) => ({
            proxyWallet: trader.proxyWallet,
            bio: '',
            asset: tokenOf(market, outcome),
            pseudonym: trader.pseudonym,
            amount: shares,
            displayUsernamePublic: true,
            outcomeIndex: outcome,
            name: trader.name,
            profileImage: trader.profileImage,
          })),
        })),
      )
    }
    if (path[0] === 'oi') {
      const known = wanted.flatMap((condition) => byCondition.get(condition) ?? [])
      return ok(
        known.map((one) => ({
          market: conditionOf(one),
          value: Number(
            Math.max(
              ...balances(one, now).map((list) => list.reduce((sum, { shares }) => sum + shares, 0)),
            ).toFixed(6),
          ),
        })),
      )
    }
    return { status: 404, body: { error: 'not found' } }
  }
}
