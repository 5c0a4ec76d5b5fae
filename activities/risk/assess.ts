import { RISK_CHECKS, type Severity } from '../../db/risk/catalogue.ts'
import { compare, decimal, sign } from '../../db/values/decimal.ts'
import type { TokenFacts } from './sources/goplus.ts'

export interface Assessment {
  /** Keys of checks by result. A check in neither list is unknown. */
  detected: string[]
  clear: string[]
  /** 0 to 100; null: a required check is unknown */
  score: number | null
  marketEndorsed: boolean | null
  ownershipRenounced: boolean | null
}

type Verdict = boolean | null

const LARGE_FEE = decimal('0.1')

/** Reads "1" as true and "0" as false; "", a missing field and any other text are unknown. */
const flag =
  (field: string) =>
  (facts: TokenFacts): Verdict =>
    facts[field] === '1' ? true : facts[field] === '0' ? false : null

/**
 * Buy and sell fees are fractions. One risky fee is enough to detect the risk; to clear it, both must be
 * known.
 */
const fee =
  (isRisk: (fraction: ReturnType<typeof decimal>) => boolean) =>
  (facts: TokenFacts): Verdict => {
    const fees = [facts['buy_tax'], facts['sell_tax']].map(fraction)
    if (fees.some((value) => value !== null && isRisk(value))) return true
    return fees.includes(null) ? null : false
  }

function fraction(text: string | undefined): ReturnType<typeof decimal> | null {
  if (text === undefined || text === '') return null
  try {
    return decimal(text)
  } catch {
    return null
  }
}

const VERDICTS: Record<string, (facts: TokenFacts) => Verdict> = {
  risk_honeypot: flag('is_honeypot'),
  risk_balance_manipulation: flag('owner_change_balance'),
  risk_airdrop_scam: flag('is_airdrop_scam'),
  risk_excessive_fee: fee((value) => compare(value, LARGE_FEE) >= 0),
  risk_blockable_transfer: flag('cannot_sell_all'),
  risk_hidden_owner: flag('hidden_owner'),
  risk_reclaimable_ownership: flag('can_take_back_ownership'),
  risk_self_destruct: flag('selfdestruct'),
  risk_unverified_source: (facts) => not(flag('is_open_source')(facts)),
  risk_serial_scam_creator: flag('honeypot_with_same_creator'),
  risk_personal_fee: flag('personal_slippage_modifiable'),
  risk_centralized_mint: flag('is_mintable'),
  risk_hidden_fees: flag('slippage_modifiable'),
  risk_blacklist: flag('is_blacklisted'),
  risk_pausable: flag('transfer_pausable'),
  risk_upgradeable_proxy: flag('is_proxy'),
  risk_whitelist: flag('is_whitelisted'),
  risk_cooldown: flag('trading_cooldown'),
  risk_basic_transfer_fee: fee((value) => sign(value) > 0),
  risk_external_call: flag('external_call'),
  risk_trade_limit: flag('is_anti_whale'),
}

/** The share of the remaining trust that a finding of each severity removes. */
const WEIGHTS: Record<Severity, number> = { critical: 0.9, high: 0.5, medium: 0.15, low: 0.06, minor: 0.02 }

/** Required for a score: without these checks a low score would suggest safety. */
const INDISPENSABLE = ['risk_honeypot', 'risk_balance_manipulation']

const NOBODY = /^0x0{40}$|^0x0{36}dead$/

/** Maps GoPlus' fields to the checks of the catalogue and computes the score. */
export function assess(facts: TokenFacts): Assessment {
  const verdicts = RISK_CHECKS.map((check) => ({ ...check, found: VERDICTS[check.key]?.(facts) ?? null }))
  const keys = (found: boolean) => verdicts.filter((v) => v.found === found).map(({ key }) => key)
  const detected = verdicts.filter(({ found }) => found === true)
  const enough =
    detected.some(({ severity }) => severity === 'critical') ||
    INDISPENSABLE.every((key) => verdicts.some((v) => v.key === key && v.found !== null))
  const trust = detected.reduce((rest, { severity }) => rest * (1 - WEIGHTS[severity]), 1)
  return {
    detected: keys(true),
    clear: keys(false),
    score: enough ? Math.round(100 * (1 - trust)) : null,
    marketEndorsed: flag('trust_list')(facts),
    ownershipRenounced: ownershipRenounced(facts),
  }
}

/** Null for an empty owner: the contract has none, or the owner could not be read. */
function ownershipRenounced(facts: TokenFacts): Verdict {
  const owner = facts['owner_address']?.toLowerCase()
  if (owner === undefined || owner === '') return null
  if (!NOBODY.test(owner)) return false
  const regained = flag('can_take_back_ownership')(facts)
  const hidden = flag('hidden_owner')(facts)
  return regained === true || hidden === true ? false : true
}

const not = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict)
