/** Receivers of one token in one transaction from which a payment counts as a multisend. */
export const MULTISEND_RECEIVERS = 25

const ADVERTISES =
  /https?:|www\.|\b[\w-]+\.(com|net|org|io|xyz|app|site|online|top|club|vip|gift|claims?|example|finance|fi|me|co|us|cc|link|live|pro|info|eth|lol|events?)\b|\b(claim|visit|voucher|redeem|airdrop\s+at|free\s+mint)\b/i

export interface TokenToJudge {
  symbol: string | null
  name: string | null
  /** known by its contract, or priced by it */
  known: boolean
  /** most receivers of a transaction that brought it to a tracked wallet */
  receivers: number
  isNft: boolean
}

/**
 * Why a token counts as spam; null when it does not. Its contract address is what a token is known by: a symbol that
 * a major coin has, on another contract, is an impersonation.
 */
export function spamReason(token: TokenToJudge, majorSymbols: ReadonlySet<string>): string | null {
  if (token.known) return null
  if ([token.symbol, token.name].some((text) => text !== null && ADVERTISES.test(text))) return 'advertises'
  if (!token.isNft && token.symbol !== null && majorSymbols.has(foldSymbol(token.symbol)))
    return 'impersonates'
  return !token.isNft && token.receivers >= MULTISEND_RECEIVERS ? 'multisend' : null
}

/** Upper case without what only makes a copy look different: accents, spaces, invisible characters, `$`. */
export function foldSymbol(symbol: string): string {
  return symbol
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s$._-]/gu, '')
    .toUpperCase()
}
