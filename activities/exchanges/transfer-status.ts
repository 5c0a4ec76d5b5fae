export type TransferStatus = 'ok' | 'pending' | 'failed'

/** Meanings of statuses by the exchange's word or code. */
export type StatusMeanings = Readonly<Record<string, TransferStatus>>

/** CCXT's own words, and those of exchanges that its classes pass on as they are. */
const WORDS: StatusMeanings = {
  ok: 'ok',
  completed: 'ok',
  finished: 'ok',
  pending: 'pending',
  created: 'pending',
  processing: 'pending',
  review: 'pending',
  unknown: 'pending',
  failed: 'failed',
  fail: 'failed',
  canceled: 'failed',
  cancelled: 'failed',
  rejected: 'failed',
  reject: 'failed',
  expired: 'failed',
}

/** What a status means, by the exchange's own meanings first. null: nobody said */
export function meaningOfStatus(status: string, own: StatusMeanings = {}): TransferStatus | null {
  if (Object.hasOwn(own, status)) return own[status]!
  const word = status.toLowerCase()
  return Object.hasOwn(WORDS, word) ? WORDS[word]! : null
}

export const unknownStatus = (status: string): string => `a status without a meaning here: ${status}`
