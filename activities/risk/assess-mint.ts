import { RISK_CHECKS } from '../../db/risk/catalogue.ts'
import type { Assessment } from './assess.ts'
import type { RugReport } from './sources/rugcheck.ts'

/** RugCheck's names of risks, whose case it changes now and then, and the checks that they are. */
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
 * What a report means for each check of the catalogue. Nothing is clear by it: a risk that is not named may not have
 * been looked at. The score is the source's own. `unknown`: names that no check stands for.
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
