import { type Token, type Tokens, tokensOf } from './tokens.ts'
import type { Phrase, Vocabulary } from './vocabulary.ts'
import { ACTORS, ACTS, AFTER, BEFORE, DEEDS, ELSEWHERE, MOVES, TOWARDS } from './words.ts'

/** A place in a text that may name a coin. */
interface Mention {
  phrase: Phrase
  coinId: string
  from: number
  /** exclusive */
  to: number
  accepted: boolean
}

const MOST_COINS = 10

/**
 * Returns the coins that a headline is about, in the order of mention. A name that is also an ordinary word
 * (near, link, optimism) counts only with evidence: its capitals, the words beside it, another name of the
 * coin, or other coins in the same list.
 */
export function findCoins(text: string, { phrases }: Vocabulary): string[] {
  const tokens = tokensOf(text)
  const mentions = mentionsIn(tokens, phrases)
  for (const mention of mentions) mention.accepted = isEvident(mention, tokens)
  let changed = true
  while (changed) {
    changed = false
    for (const mention of mentions) {
      if (mention.accepted || !isSupported(mention, mentions, tokens)) continue
      mention.accepted = true
      changed = true
    }
  }
  const named = mentions.filter(({ accepted }) => accepted).map(({ coinId }) => coinId)
  return [...new Set(named)].slice(0, MOST_COINS)
}

/** Finds the longest phrase at each place. A longer name hides a shorter one inside it. */
function mentionsIn({ list }: Tokens, phrases: Vocabulary['phrases']): Mention[] {
  const mentions: Mention[] = []
  for (let from = 0; from < list.length;) {
    const here = (phrases.get(list[from]!.lower) ?? []).filter(
      (phrase) =>
        isWrittenSo(phrase, list.slice(from, from + phrase.words.length)) && fits(phrase, list, from),
    )
    const longest = here[0]?.words.length ?? 1
    for (const phrase of here.filter(({ words }) => words.length === longest))
      mentions.push({ phrase, coinId: phrase.coinIds[0]!, from, to: from + longest, accepted: false })
    from += longest
  }
  // A symbol that several coins share belongs to the coin that is also named.
  const named = new Set(mentions.filter((m) => !isSymbol(m.phrase)).flatMap((m) => m.phrase.coinIds))
  for (const mention of mentions)
    mention.coinId = mention.phrase.coinIds.find((id) => named.has(id)) ?? mention.coinId
  return mentions
}

function isSymbol({ naming }: Phrase): boolean {
  return naming === 'symbol' || naming === 'acronym'
}

function fits({ words }: Phrase, list: readonly Token[], from: number): boolean {
  return words.every(
    (word, i) => list[from + i]?.lower === word && (i === 0 || /^[\s-]*$/.test(list[from + i]!.gap)),
  )
}

function isWrittenSo(phrase: Phrase, tokens: readonly Token[]): boolean {
  if (isSymbol(phrase)) return tokens.every(({ writing, cashtag }) => cashtag || writing === 'upper')
  return phrase.naming === 'sure' || tokens.every(({ writing }) => writing !== 'lower')
}

/** Whether a mention counts without support by another mention. */
function isEvident(mention: Mention, tokens: Tokens): boolean {
  const { phrase, from, to } = mention
  const { list, titleCase, shouted } = tokens
  const first = list[from]!
  if (first.cashtag) return true
  if (isElsewhere(mention, list)) return false
  switch (phrase.naming) {
    case 'sure':
      return true
    case 'proper':
      return true
    case 'symbol':
      return !shouted || isProject(mention, list)
    case 'acronym':
      return isProject(mention, list) || (!shouted && isPriced(mention, list))
    case 'common': {
      if (isProject(mention, list)) return true
      // A capital within a sentence marks a name.
      const inside = list.slice(from, to).some((token) => !token.start && token.writing !== 'lower')
      if (inside && !titleCase && !shouted) return true
      if (isActor(mention, list)) return true
      return (
        first.start &&
        (ACTS.has(list[to]?.lower ?? '') || (isPriced(mention, list) && hasPercent(mention, list)))
      )
    }
  }
}

/** Whether the words beside a mention show that it is not a coin. */
function isElsewhere({ phrase, from, to }: Mention, list: readonly Token[]): boolean {
  const around = [list[from - 2], list[from - 1], list[to], list[to + 1]].map((token) => token?.lower ?? '')
  const own = ELSEWHERE[phrase.words[0]!]
  if (own && around.some((word) => own.has(word))) return true
  if (phrase.naming !== 'common') return false
  const next = list[to]
  // Excludes grass-roots and mask-wearing, but not NEAR-based.
  if (next?.gap === '-' && !/^(based|backed|linked|powered|denominated)$/.test(next.lower)) return true
  return next !== undefined && ELSEWHERE['*']!.has(next.lower)
}

function isProject({ from, to }: Mention, list: readonly Token[]): boolean {
  const next = list[to]
  const previous = list[from - 1]
  const follows = next !== undefined && /^[\s-]*$/.test(next.gap) && AFTER.has(next.lower)
  return follows || (previous !== undefined && /^\s*\(?$/.test(list[from]!.gap) && BEFORE.has(previous.lower))
}

/** As in "Sky buys back tokens", "SEC drops case against Immutable" and "MakerDAO rebrands as Sky". */
function isActor({ phrase, from, to }: Mention, list: readonly Token[]): boolean {
  if (!ACTORS.has(phrase.words.join('-'))) return false
  const [before, last, next] = [list[from - 2]?.lower ?? '', list[from - 1]?.lower ?? '', list[to]]
  if (list[from]!.start && DEEDS.has(next?.lower ?? '')) return true
  if (/^(?:is now|rebrand(?:s|ed) (?:as|to))$/.test(`${before} ${last}`)) return true
  return next === undefined && TOWARDS.has(last)
}

function isPriced({ to }: Mention, list: readonly Token[]): boolean {
  const next = list[to]
  return next !== undefined && /^\s+$/.test(next.gap) && MOVES.has(next.lower)
}

function hasPercent({ to }: Mention, list: readonly Token[]): boolean {
  return list.slice(to, to + 5).some((token, i, near) => {
    const after = near[i + 1]?.gap ?? list[to + i + 1]?.gap ?? ''
    return /^\d/.test(token.lower) && after.startsWith('%')
  })
}

/** Whether other mentions support this one: another name of the coin, or a list of coins that contains it. */
function isSupported(mention: Mention, mentions: readonly Mention[], tokens: Tokens): boolean {
  if (isElsewhere(mention, tokens.list)) return false
  return mentions.some((other) => {
    if (other === mention) return false
    const otherName = other.coinId === mention.coinId && other.from !== mention.from
    if (otherName && isSymbol(other.phrase) !== isSymbol(mention.phrase)) return true
    return other.accepted && other.from !== mention.from && areListed(mention, other, tokens.list)
  })
}

/** Whether two mentions are neighbours in a list, as in "Solana, Avalanche and Near" or "ETH/BTC". */
function areListed(one: Mention, two: Mention, list: readonly Token[]): boolean {
  const [left, right] = one.from < two.from ? [one, two] : [two, one]
  const between = list.slice(left.to, right.from + 1)
  if (between.length === 1) return /^\s*[,/&+]\s*$/.test(between[0]!.gap)
  return (
    between.length === 2 && /^(and|or|vs|versus)$/.test(between[0]!.lower) && /^,?\s+$/.test(between[0]!.gap)
  )
}
