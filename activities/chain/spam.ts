import { MULTISEND_RECEIVERS } from './chain-data.ts'

const ADVERTISES =
  /https?:|www\.|\b[\w-]+\.(com|net|org|io|xyz|app|site|online|top|club|vip|gift|claims?|example|finance|fi|me|co|us|cc|link|live|pro|info|eth|lol|events?)\b|\b(claim|visit|voucher|redeem|airdrop\s+at|free\s+mint)\b/i

export interface TokenToJudge {
  symbol: string | null
  name: string | null
  /** its contract address maps to a coin or has a price */
  known: boolean
  /** highest number of receivers in a transaction that sent it to a tracked wallet */
  receivers: number
  isNft: boolean
}

/**
 * Returns why a token counts as spam; null when it does not. Tokens are identified by contract address: the
 * symbol of a major coin on another contract is an impersonation.
 */
export function spamReason(token: TokenToJudge, majorSymbols: ReadonlySet<string>): string | null {
  if (token.known) return null
  if ([token.symbol, token.name].some((text) => text !== null && ADVERTISES.test(text))) return 'advertises'
  if (!token.isNft && token.symbol !== null && majorSymbols.has(foldSymbol(token.symbol)))
    return 'impersonates'
  return !token.isNft && token.receivers >= MULTISEND_RECEIVERS ? 'multisend' : null
}

/**
 * Upper case without accents, spaces, invisible characters and `$`, which make a copied symbol look
 * different.
 */
export function foldSymbol(symbol: string): string {
  return symbol
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s$._-]/gu, '')
    .toUpperCase()
}
