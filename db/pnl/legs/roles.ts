export interface Meaning {
  /** Counts in value, flow and cost basis. */
  counts: boolean
  /**
   * When its value is a flow, so that it is no profit. `unless own`: unless its other end is in the same
   * scope. `if unpriced`: if a coin of its swap never had a price.
   */
  flow: 'always' | 'unless own' | 'if unpriced' | 'never'
  /**
   * The cost of an acquired coin and the proceeds of a disposed one. `market`: its value at the instant.
   * `exchanged`: the value of the other side. `carried`: the lots keep their cost and dates. `none`: 0.
   */
  basis: 'market' | 'exchanged' | 'carried' | 'none'
  /** Its value is profit. A leg with basis `none` that is no income is a cost. */
  income: boolean
}

/** Ways to count coins received without payment: as profit of that day, or as a deposit at market value. */
export const TREATMENTS = {
  income: { counts: true, flow: 'never', basis: 'none', income: true },
  flow: { counts: true, flow: 'always', basis: 'market', income: false },
} as const satisfies Record<string, Meaning>
export type Treatment = keyof typeof TREATMENTS

/**
 * Defines the roles of legs. The accounting, its SQL, the operator's commands and the database constraints
 * follow from this table. To count staking rewards as deposits in all accounts, write `reward:
 * TREATMENTS.flow`; an operator can do so for one account (treat-role.ts).
 */
export const ROLES = {
  transfer: { counts: true, flow: 'unless own', basis: 'market', income: false },
  // One side of a swap.
  trade: { counts: true, flow: 'if unpriced', basis: 'exchanged', income: false },
  // The same asset in another form: wrapped, bridged or migrated.
  wrap: { counts: true, flow: 'if unpriced', basis: 'carried', income: false },
  // A transaction fee; positive for a rebate.
  fee: { counts: true, flow: 'never', basis: 'none', income: false },
  airdrop: TREATMENTS.income,
  // From staking or a reward programme.
  reward: TREATMENTS.income,
  interest: TREATMENTS.income,
  // Growth of a balance without a transaction.
  rebase: TREATMENTS.income,
  // An amount that the history does not explain.
  opening: TREATMENTS.flow,
  spam: { counts: false, flow: 'never', basis: 'none', income: false },
} as const satisfies Record<string, Meaning>
export type Role = keyof typeof ROLES

/** Roles whose treatment an operator can change for one account. */
export const TREATED_ROLES = ['airdrop', 'reward', 'interest', 'rebase'] as const satisfies Role[]
export type TreatedRole = (typeof TREATED_ROLES)[number]

interface Meant {
  role: Role
  /** the operator's treatment in this account */
  treatment?: Treatment | undefined
}

export const meaningOf = ({ role, treatment }: Meant): Meaning =>
  treatment ? TREATMENTS[treatment] : ROLES[role]

/** True for one side of a swap or wrap. */
export const isSwap = (leg: Meant): boolean => {
  const { basis } = meaningOf(leg)
  return basis === 'exchanged' || basis === 'carried'
}

export const rolesWhere = (test: (meaning: Meaning) => boolean): Role[] =>
  (Object.keys(ROLES) as Role[]).filter((role) => test(ROLES[role]))

/** Roles that an operator may assign. Not `opening`, which comes from comparing balances. */
export type LabelRole = Exclude<Role, 'opening'>
export const LABEL_ROLES = rolesWhere(() => true).filter((role): role is LabelRole => role !== 'opening')

/** Roles of the kinds of exchange transactions. Adjustments are flows, because their origin is unknown. */
export const EXCHANGE_ROLES = {
  fill: 'trade',
  dust: 'trade',
  convert: 'trade',
  deposit: 'transfer',
  withdrawal: 'transfer',
  reward: 'reward',
  adjustment: 'opening',
  fee: 'fee',
  opening: 'opening',
} as const satisfies Record<string, Role>

/** Formats a list for SQL, such as ('opening', 'transfer'). */
export const sqlList = (words: readonly string[]): string =>
  `(${words.map((word) => `'${word}'`).join(', ')})`

/** SQL condition: the role counts. */
export const countsSql = (role: string): string =>
  `${role} not in ${sqlList(rolesWhere(({ counts }) => !counts))}`
