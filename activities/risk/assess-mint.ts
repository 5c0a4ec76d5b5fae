import { RISK_CHECKS } from '../../db/risk/catalogue.ts'
import type { Assessment } from './assess.ts'
import type { RugReport } from './sources/rugcheck.ts'

/** RugCheck's risk names, in lower case because their case varies, and the matching checks. */
const KEYS: [RegExp, string][] = [
  [/creator history/, 'risk_serial_scam_creator'],
  [/rugged/, 'risk_rugged'],
  [/honeypot/, 'risk_honeypot'],
  [/mint authority/, 'risk_centralized_mint'],
  [/freeze authority/, 'risk_blacklist'],
  [/permanent.*(control|delegate)/, 'risk_balance_manipulation'],
  [/transfer fee/, 'risk_basic_transfer_fee'],
  [/mutable metadata/, 'risk_mutable_metadata'],
  [/copycat/, 'risk_copycat'],
  [/unlocked|lp .*(unlocked|not burned)/, 'risk_unlocked_liquidity'],
  [/low liquidity|lp providers/, 'risk_low_liquidity'],
  [/holder|ownership/, 'risk_concentrated_holders'],
]

/**
 * Maps a report to the checks of the catalogue. It clears no check: RugCheck may not have looked for a risk
 * that it does not name. The score is RugCheck's own. `unknown`: risk names without a matching check.
 */
export function assessMint({
  risks,
  score_normalised: score,
}: RugReport): Assessment & { unknown: string[] } {
  const keys = risks.map(({ name }) => KEYS.find(([words]) => words.test(name.toLowerCase()))?.[1])
  const found = new Set(keys)
  return {
    detected: RISK_CHECKS.map(({ key }) => key as string).filter((key) => found.has(key)),
    clear: [],
    score: typeof score === 'number' ? Math.round(score) : null,
    marketEndorsed: null,
    ownershipRenounced: null,
    unknown: risks.flatMap(({ name }, i) => (keys[i] === undefined ? [name] : [])),
  }
}
