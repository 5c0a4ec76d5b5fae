/**
 * Weights of words and phrases: above 0 is good for the price of the subject, below 0 is bad. All in lower
 * case.
 */
const weighted = (weight: number, text: string): [string, number][] =>
  text
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .map((phrase) => [phrase, weight])

export const LEXICON: ReadonlyMap<string, number> = new Map([
  ...weighted(
    3,
    `all-time high, all time high, record high, surge, surges, surged, soar, soars, soared, skyrocket, skyrockets,
    moon, moons, doubles, triples, bullish, breakout, bull run, short squeeze, etf approval, approves etf`,
  ),
  ...weighted(
    2,
    `rally, rallies, rallied, jump, jumps, jumped, spike, spikes, climb, climbs, climbed, gain, gains, gained, rebound,
    rebounds, rebounded, recover, recovers, recovery, rise, rises, rose, leap, leaps, pump, pumps, outperform,
    outperforms, inflow, inflows, accumulate, accumulates, accumulation, accumulating, adoption, adopts, approve,
    approves, approved, approval, wins, win, victory, dismissed, dismisses, drops case, drops lawsuit, buyback,
    buybacks, buys back, breaks resistance, new high, to new high, hits record, hits high, record transactions,
    yearly high, rate cut, rate cuts, upgrade, upgrades, grows, growth, burn, burns, boost, boosts, optimism, lifts,
    lift, buying, piles into, pile into, pours, halving, cuts supply, cut supply, to record`,
  ),
  ...weighted(
    1,
    `launch, launches, launched, unveils, debuts, goes live, live on, partners, partnership, integrates, expands,
    expansion, lists, listed on, listing, relisting, backs, backing, raises, raised, invests, acquires, acquisition,
    support, supports, adds, add, reaches, opens, attracts, milestone, record, buys, buy, steady, calm, returns,
    picked by, files for, filing, fund, flock, pays, bottom, recruits, tokenized, up, passes, beats, cheer, gets,
    leads, lead, high, higher, saves, reward, rewards, brings, courts, saved`,
  ),
  ...weighted(
    -3,
    `crash, crashes, crashed, plunge, plunges, plunged, plummet, plummets, collapse, collapses, hack, hacks, hacked,
    hacker, hackers, exploit, exploited, exploits, drained, drains, stolen, stole, steal, theft, rug pull, bankrupt,
    bankruptcy, insolvent, ponzi, wiped, wipes, bearish, halts withdrawals, loses peg, depeg, depegs, capitulation`,
  ),
  ...weighted(
    -2,
    `fall, falls, fell, drop, drops, dropped, slide, slides, slid, slip, slips, slipped, slump, slumps, sink, sinks,
    sank, tumble, tumbles, tumbled, dive, dives, dip, dips, decline, declines, dump, dumps, dumping, sell-off, selloff,
    selling, sells tokens, sell, sells, outflow, outflows, liquidation, liquidations, liquidated, losses, loss, lose,
    loses, losing, lawsuit, sue, sues, sued, charged, charges, fraud, scam, scams, phishing, breach, banned, ban, bans,
    crackdown, delist, delists, delisted, delisting, unlock, unlocks, low, lows, lower, halted, outage, freeze, leak,
    exposes, detention, arrested, pleads guilty, guilty, convicted, fine, fined, suspends, suspended, layoffs, lays off,
    launder, laundering, attack, attacks, fades, fade, fears, fear, warn, warns, warning, warned, worries, worry,
    sanctions, seized, rejects, rejected, denied, weak, weakens, resistance at, stalls, stall, stalled, delayed, inflation,
    rate hike, shortage, drops plans, ends, leaves, spooks, losing faith, costs`,
  ),
  ...weighted(
    -1,
    `risk, risks, risky, concern, concerns, uncertainty, doubt, doubts, questioned, lag, lags, bubble, delay, delays,
    steps down, resigns, struggles, shrinks, down, pressure, caution, probe, investigates, investigation, looms,
    overhang, cools, dominated, limits, cut, cuts, tax, taxes, unregistered, silence, against, force, forces, rush,
    robbers, copycat, volatile, will not pass, fails, failed, faces, crime, victim, victims`,
  ),
])

/** Words that reverse the weights of the three words after them. */
export const NEGATIONS: ReadonlySet<string> = new Set([
  'no',
  'not',
  'never',
  'without',
  'denies',
  'denied',
  'deny',
  'despite',
  'shrugs',
  'avoids',
  'refutes',
  'ends',
])

/** Subjects whose fall is good news and whose rise is bad news. */
export const BURDENS: ReadonlySet<string> = new Set([
  'fees',
  'fee',
  'inflation',
  'hacks',
  'outflows',
  'supply',
  'losses',
  'liquidations',
  'selling',
  'dollar',
])
